// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

@Suite struct MetadataServerTests {
  private func machine() async throws -> Cloud { try await Cloud { $0.attachedAccount = Cloud.account } }

  @Test func accessTokenIsRequested() async throws {
    let cloud = try await machine()
    let credential = try GoogleCredential.metadataServer(scopes: ["a", "b"], in: cloud.environment())
    let token = try await credential.accessToken()
    let request = try #require(cloud.transport.requests.first)
    #expect(
      request.url.absoluteString
        == "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token?scopes=a%2Cb")
    #expect(request.method == .get && request.fields["Metadata-Flavor"] == "Google")
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.principal == Cloud.account)
    #expect(token.scopes == ["a", "b"] && token.expiresAt == cloud.clock.now + .seconds(3600))
    #expect(credential.kind == .metadataServer && credential.principal == nil)
    #expect("\(credential)" == "metadata_server from the metadata server metadata.google.internal")
  }

  @Test func idTokenIsRequested() async throws {
    let cloud = try await machine()
    let tokens = try GoogleCredential.metadataServer(in: cloud.environment()).idTokens(for: Cloud.service)
    let http = cloud.transport.authorized(by: tokens, for: [try #require(Origin(Cloud.service))])
    let response = try await http.send(HTTPRequest(.get, try #require(URL(string: Cloud.service + "/"))))
    #expect(try JSONValue(json: response.body) == ["email": .string(Cloud.account)])
    let url = cloud.transport.requests.first?.url.absoluteString
    #expect(
      url
        == "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/identity?audience=https%3A%2F%2Freports-abc.a.run.app&format=full"
    )
  }

  /// A host that responds in place of the metadata server must not have a token for one service sent to another.
  @Test(arguments: [
    #""https://other.a.run.app""#, #"["https://other.a.run.app"]"#, "[]", "7", "null",
    #"["https://reports-abc.a.run.app","https://other.a.run.app"]"#,
  ])
  func idTokenForAnotherServiceIsRefused(_ audience: String) async throws {
    let token: @Sendable (String) -> [UInt8] = { audience in
      let claims = Array(#"{"exp":1767229200,"iat":1767225600,"aud":\#(audience)}"#.utf8)
      return Array("e30.\(Base64URL.encode(claims)).c2ln".utf8)
    }
    func tokens(_ audience: String) throws -> CachingTokenSource {
      let transport = StubTransport { _ in
        HTTPResponse(status: 200, fields: ["Metadata-Flavor": "Google"], body: token(audience))
      }
      let environment = CredentialEnvironment(
        transport: transport, clock: ManualClock(), variables: [:], files: FixedFiles())
      return try GoogleCredential.metadataServer(in: environment).idTokens(for: Cloud.service)
    }
    let error = try await failure(GoogleCredentialError.self) { try await tokens(audience).accessToken() }
    #expect(error.code == .invalidResponse && error.message.contains("another service"))
    #expect(try await tokens("\"\(Cloud.service)\"").accessToken().value.reveal().hasPrefix("e30."))
  }

  @Test func projectIsKnown() async throws {
    let cloud = try await machine()
    let credential = try GoogleCredential.metadataServer(in: cloud.environment())
    #expect(try await credential.projectID() == "sandbox-project")
    let named = try GoogleCredential.metadataServer(in: cloud.environment(["GOOGLE_CLOUD_PROJECT": "mine"]))
    #expect(try await named.projectID() == "mine")
  }

  @Test func oneOfSeveralAccountsIsNamed() async throws {
    let cloud = try await machine()
    let credential = try GoogleCredential.metadataServer(account: Cloud.account, in: cloud.environment())
    _ = try await credential.accessToken()
    #expect(credential.principal == Cloud.account)
    let other = try GoogleCredential.metadataServer(account: "other@example.com", in: cloud.environment())
    let error = try await failure(GoogleCredentialError.self) { try await other.accessToken() }
    #expect(error.code == .metadataServerFailed && error.message.contains("service account"))
  }

  @Test(arguments: ["", "a/b", "a?b", "../x", "a b"])
  func accountThatIsNoneIsRefused(_ account: String) async throws {
    let cloud = try await machine()
    #expect(throws: GoogleCredentialError.self) {
      try GoogleCredential.metadataServer(account: account, in: cloud.environment())
    }
  }

  @Test(arguments: ["evil.example/x?", "a@b", "host:99999999", "", "user:pw@host", "host#"])
  func hostOfTheVariableIsChecked(_ host: String) async throws {
    let cloud = try await machine()
    let environment = cloud.environment(["GCE_METADATA_HOST": host])
    if host.isEmpty {
      #expect(
        try GoogleCredential.metadataServer(in: environment).location
          == .metadataServer(host: "metadata.google.internal"))
    } else {
      let error = try await failure(GoogleCredentialError.self) {
        try GoogleCredential.metadataServer(in: environment)
      }
      #expect(error.code == .invalidConfiguration && error.message.contains("GCE_METADATA_HOST"))
    }
  }

  private static func environment(
    _ variables: [String: String] = ["GCE_METADATA_HOST": "127.0.0.1:8080"], clock: ManualClock = ManualClock(),
    _ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> CredentialEnvironment {
    CredentialEnvironment(
      transport: StubTransport(respond), clock: clock, variables: variables, files: FixedFiles())
  }

  /// A response that something else than a metadata server sends.
  @Test(arguments: [
    ("Other", #"{"access_token":"a","expires_in":60}"#, 200), ("Google", "<html>", 200),
    ("Google", #"{"access_token":"","expires_in":60}"#, 200),
    ("Google", #"{"access_token":"a"}"#, 200),
    ("Google", #"{"access_token":"a","expires_in":0}"#, 200),
    ("Google", "forbidden", 403),
  ])
  func responseOfAnotherServerIsRefused(_ flavor: String, _ body: String, _ status: Int) async throws {
    let environment = Self.environment { _ in
      HTTPResponse(status: status, fields: ["Metadata-Flavor": flavor], body: Array(body.utf8))
    }
    let credential = try GoogleCredential.metadataServer(in: environment)
    let error = try await failure(GoogleCredentialError.self) { try await credential.accessToken() }
    #expect(error.code == .metadataServerFailed && error.message.contains("127.0.0.1:8080"))
  }

  @Test func serverThatFailsForTheMomentIsSaid() async throws {
    let environment = Self.environment { _ in HTTPResponse(status: 503) }
    let credential = try GoogleCredential.metadataServer(in: environment)
    let error = try await failure(GoogleCredentialError.self) { try await credential.accessToken() }
    #expect(error.code == .serverUnavailable)
  }

  @Test func absurdLifetimeIsClamped() async throws {
    let clock = ManualClock()
    let environment = Self.environment(clock: clock) { _ in
      HTTPResponse(
        status: 200, fields: ["Metadata-Flavor": "Google"],
        body: Array(#"{"access_token":"a","expires_in":9223372036854775807}"#.utf8))
    }
    let token = try await GoogleCredential.metadataServer(in: environment).accessToken()
    #expect(token.expiresAt == clock.now + .seconds(86_400))
  }

  @Test func serverThatHangsIsGivenUp() async throws {
    let clock = ManualClock()
    let environment = Self.environment(clock: clock) { _ in
      try await clock.sleep(for: .seconds(100_000))
      return HTTPResponse(status: 200)
    }
    let credential = try GoogleCredential.metadataServer(in: environment)
    let token = Task { try await credential.accessToken() }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: TransportError.self) { try await token.value }
    #expect(error?.code == .timedOut)
  }
}
