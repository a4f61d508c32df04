// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import Testing
import Timekeeping
import TokenStore

@Suite struct AuthorizedTransportTests {
  private static let api = URL(literal: "https://api.example/items")

  /// Gives `token-1`, and the next number whenever the current token is rejected.
  private actor CountingSource: TokenSource {
    private(set) var number = 1
    func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
      if rejected == AccessToken(Secret("token-\(number)")) { number += 1 }
      return AccessToken(Secret("token-\(number)"))
    }
  }

  private func transport(_ base: StubTransport, _ tokens: some TokenSource, _ origin: String = "https://api.example")
    throws
    -> AuthorizedTransport
  {
    base.authorized(by: tokens, for: [try #require(Origin(origin))])
  }

  @Test func rejectedTokenIsReplacedOnceAndTheRequestRepeated() async throws {
    let base = StubTransport(HTTPResponse(status: 401), HTTPResponse(status: 200))
    let response = try await transport(base, CountingSource()).send(HTTPRequest(.post, Self.api, body: [1, 2]))
    #expect(response.status == 200)
    #expect(base.requests.map { $0.fields["Authorization"] } == ["Bearer token-1", "Bearer token-2"])
    #expect(base.requests.map(\.body) == [[1, 2], [1, 2]])
  }

  @Test func lostTokenRequestIsNotALostRequest() async throws {
    /// Loses the responses to its requests.
    actor LostSource: TokenSource {
      private(set) var count = 0
      func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
        count += 1
        throw TransportError(.connectionLost, "The response was lost.")
      }
    }
    let (base, source) = (StubTransport(HTTPResponse(status: 200)), LostSource())
    let http = try transport(base, source).retrying(clock: ManualClock(skipsWaits: true))
    let error = try await #require(throws: TransportError.self) { try await http.send(HTTPRequest(.get, Self.api)) }
    #expect(error.code == .connectionLost)
    #expect(await source.count == 1, "A token request that may have arrived is repeated by no other layer.")
    #expect(base.requests.isEmpty)
  }

  @Test(arguments: [400, 402, 403, 404, 407, 503])
  func responseWithAnotherStatusThan401SaysNothingAboutTheToken(_ status: Int) async throws {
    let base = StubTransport(HTTPResponse(status: status), HTTPResponse(status: 200))
    let source = CountingSource()
    #expect(try await transport(base, source).send(HTTPRequest(.get, Self.api)).status == status)
    #expect(base.requests.count == 1)
    #expect(await source.number == 1)
  }

  @Test func rejectionByAnotherOriginAfterARedirectSaysNothingAboutTheToken() async throws {
    let rejection = HTTPResponse(status: 401, redirectedOrigin: Origin("https://downloads.example"))
    let base = StubTransport(rejection, HTTPResponse(status: 200))
    let source = CountingSource()
    let response = try await transport(base, source).send(HTTPRequest(.get, Self.api))
    #expect(response == rejection)
    #expect(base.requests.count == 1)
    #expect(await source.number == 1)
  }

  @Test func secondRejectionIsTheAnswer() async throws {
    let base = StubTransport(HTTPResponse(status: 401), HTTPResponse(status: 401), HTTPResponse(status: 200))
    let response = try await transport(base, CountingSource()).send(HTTPRequest(.get, Self.api))
    #expect(response.status == 401)
    #expect(base.requests.count == 2)
  }

  @Test(arguments: [
    "https://evil.example/items", "http://api.example/items", "https://api.example:8443/items",
    "https://api.example.evil.example/items", "ftp://api.example/items", "https://api.example@evil.example/items",
    "https://api.example:secret@evil.example/", "https://api.example:443@evil.example/", "https://api.exampl/",
    "https://api.example%2Eevil.example/", "https://evil.example/https://api.example/", "HTTP://api.example/items",
  ])
  func tokenGoesToTheNamedOriginsOnly(_ address: String) async throws {
    let base = StubTransport(HTTPResponse(status: 200))
    let transport = try transport(base, CountingSource())
    await expectError(.originNotAllowed) { try await transport.send(HTTPRequest(.get, #require(URL(string: address)))) }
    #expect(base.requests.isEmpty)
  }

  @Test(arguments: [
    "https://api.example", "https://api.example/", "https://api.example?q", "https://api.example#f",
    "https://api.example:443/items", "HTTPS://API.Example/items",
  ])
  func everySpellingOfANamedOriginBearsTheToken(_ address: String) async throws {
    let base = StubTransport(HTTPResponse(status: 200))
    _ = try await transport(base, CountingSource()).send(HTTPRequest(.get, #require(URL(string: address))))
    #expect(base.requests.map { $0.fields["Authorization"] } == ["Bearer token-1"])
  }

  @Test func relativeURLBearsTheTokenOfItsBase() async throws {
    let base = StubTransport(HTTPResponse(status: 200))
    let url = try #require(URL(string: "/items", relativeTo: Self.api))
    _ = try await transport(base, CountingSource()).send(HTTPRequest(.get, url))
    #expect(base.requests.count == 1)
  }

  @Test func plainHTTPIsRefusedEvenIfNamed() async throws {
    let base = StubTransport(HTTPResponse(status: 200))
    let transport = try transport(base, CountingSource(), "http://api.example")
    await expectError(.originNotAllowed) {
      try await transport.send(HTTPRequest(.get, #require(URL(string: "http://api.example/items"))))
    }
  }

  @Test func manyRejectedRequestsMakeOneRefresh() async throws {
    let clock = ManualClock()
    let refreshes = Mutex(0)
    let server = StubTransport { request in
      if request.url.path() == "/token" {
        refreshes.withLock { $0 += 1 }
        return Fixtures.json(#"{"access_token":"good","expires_in":3600}"#)
      }
      return HTTPResponse(status: request.fields["Authorization"] == "Bearer good" ? 200 : 401)
    }
    var stored = Fixtures.expired(clock)
    stored.expiresAt = clock.now + .seconds(3600)
    let source = RefreshingTokenSource(
      client: try Fixtures.client(server, clock: clock), storage: try await InMemoryTokenStorage.holding(stored),
      account: "me")
    let transport = try transport(server, source)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await transport.send(HTTPRequest(.get, Self.api)).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(statuses) == [200])
    #expect(refreshes.withLock { $0 } == 1)
  }
}
