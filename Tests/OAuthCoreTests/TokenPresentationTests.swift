// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import Testing
import TokenStore

@Suite struct TokenPresentationTests {
  private static let api = URL(literal: "https://api.example/items")

  /// Gives tokens of one type, and the next number whenever the current token is rejected.
  private actor TypedSource: TokenSource {
    let type: String
    private(set) var number = 1

    init(_ type: String) { self.type = type }

    func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
      if rejected?.value == Secret("token-\(number)") { number += 1 }
      return AccessToken(Secret("token-\(number)"), type: type)
    }
  }

  /// A proof with a nonce that the server gives, in the manner of RFC 9449.
  private final class NonceProof: TokenPresentation {
    private let nonce = Mutex("none")

    func authorize(_ request: inout HTTPRequest, with token: AccessToken) async throws {
      guard token.type.lowercased() == "proven" else { throw OAuthError(.unsupportedTokenType, "Not proven.") }
      request.fields["Authorization"] = "Proven \(token.value.reveal())"
      request.fields["Proof"] =
        "\(request.method.rawValue) \(request.url.absoluteString) \(token.value.reveal()) \(nonce.withLock { $0 })"
    }

    func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) async -> Bool {
      guard let nonce = response.fields["Nonce"] else { return false }
      self.nonce.withLock { $0 = nonce }
      return response.status == 401 && response.fields["WWW-Authenticate"] == "Proven error=\"use_nonce\""
    }
  }

  private static func wanting(_ nonce: String) -> HTTPResponse {
    HTTPResponse(
      status: 401, fields: ["WWW-Authenticate": "Proven error=\"use_nonce\"", "Nonce": nonce])
  }

  private func transport(
    _ base: StubTransport, _ source: TypedSource, _ presentation: some TokenPresentation = .bearer
  ) throws -> AuthorizedTransport {
    base.authorized(by: source, for: [try #require(Origin(Self.api))], presentation: presentation)
  }

  @Test(arguments: ["Bearer", "bearer", "BEARER"])
  func typeBearerIsComparedWithoutRegardToCase(_ type: String) async throws {
    let base = StubTransport(HTTPResponse(status: 200))
    _ = try await transport(base, TypedSource(type)).send(HTTPRequest(.get, Self.api))
    #expect(base.requests.map { $0.fields["Authorization"] } == ["Bearer token-1"])
  }

  @Test(arguments: [
    ("DPoP", "DPoP"), ("mac", "mac"), ("N_A", "N_A"), ("", ""), ("Bearer ", "Bearer "), ("ｂｅａｒｅｒ", ""),
    ("x\u{1B}[2J\n", "x[2J"),
  ])
  func tokenOfAnotherTypeIsATypedErrorThatNamesIt(_ type: String, _ shown: String) async throws {
    let base = StubTransport(HTTPResponse(status: 200))
    await expectError(.unsupportedTokenType, "\"\(shown)\"") {
      try await transport(base, TypedSource(type)).send(HTTPRequest(.get, Self.api))
    }
    #expect(base.requests.isEmpty)
  }

  @Test func requestIsSentAgainWithTheNonceThatTheServerAsksFor() async throws {
    let base = StubTransport(Self.wanting("n1"), HTTPResponse(status: 200), HTTPResponse(status: 200))
    let source = TypedSource("Proven")
    let transport = try transport(base, source, NonceProof())
    #expect(try await transport.send(HTTPRequest(.get, Self.api)).status == 200)
    // The next request knows it.
    _ = try await transport.send(HTTPRequest(.get, Self.api))
    let proof = "GET https://api.example/items token-1"
    #expect(base.requests.map { $0.fields["Proof"] } == ["\(proof) none", "\(proof) n1", "\(proof) n1"])
    #expect(await source.number == 1, "the token was not rejected")
  }

  @Test func tokenThatIsRejectedAfterTheNonceIsReplaced() async throws {
    let base = StubTransport(Self.wanting("n1"), HTTPResponse(status: 401), HTTPResponse(status: 200))
    let response = try await transport(base, TypedSource("Proven"), NonceProof()).send(HTTPRequest(.get, Self.api))
    #expect(response.status == 200)
    #expect(base.requests.map { $0.fields["Authorization"] } == ["Proven token-1", "Proven token-1", "Proven token-2"])
    #expect(base.requests.last?.fields["Proof"]?.hasSuffix("token-2 n1") == true)
  }

  @Test func serverThatAlwaysAsksForANewNonceIsAskedFiveTimes() async throws {
    let base = StubTransport(
      Self.wanting("n1"), Self.wanting("n2"), Self.wanting("n3"), Self.wanting("n4"), Self.wanting("n5"),
      HTTPResponse(status: 200))
    let source = TypedSource("Proven")
    let response = try await transport(base, source, NonceProof()).send(HTTPRequest(.get, Self.api))
    #expect(response == Self.wanting("n5"))
    #expect(base.requests.count == 5)
    #expect(await source.number == 1, "such a response says nothing about the token")
  }

  @Test func responseOfAnotherOriginIsNotShownToTheProof() async throws {
    var redirected = Self.wanting("stolen")
    redirected.redirectedOrigin = Origin("https://downloads.example")
    let base = StubTransport(redirected, HTTPResponse(status: 200))
    let transport = try transport(base, TypedSource("Proven"), NonceProof())
    #expect(try await transport.send(HTTPRequest(.get, Self.api)) == redirected)
    _ = try await transport.send(HTTPRequest(.get, Self.api))
    #expect(base.requests.last?.fields["Proof"]?.hasSuffix(" none") == true)
  }
}
