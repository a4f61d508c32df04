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
  @Test(arguments: ["https://other.a.run.app", Cloud.service])
  func idTokenForAnotherServiceIsRefused(_ audience: String) async throws {
    let claims = Array(#"{"exp":1767229200,"iat":1767225600,"aud":"\#(audience)"}"#.utf8)
    let environment = Self.environment([:]) { _ in
      HTTPResponse(
        status: 200, fields: ["Metadata-Flavor": "Google"],
        body: Array("e30.\(Base64URL.encode(claims)).c2ln".utf8))
    }
    let tokens = try GoogleCredential.metadataServer(in: environment).idTokens(for: Cloud.service)
    guard audience != Cloud.service else {
      _ = try await tokens.accessToken()
      return
    }
    await expectFailure(.invalidResponse, "not for the requested service \(Cloud.service)") {
      try await tokens.accessToken()
    }
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
    await expectFailure(.metadataServerFailed, "Attach one to the machine or service") { try await other.accessToken() }
  }

  @Test(arguments: ["", "a/b", "a?b", "../x", "a b", "a:b", "a[b", "a`b", "a{b", "a,b", "a+b", "a%b", "é"])
  func accountThatIsNoneIsRefused(_ account: String) async throws {
    let cloud = try await machine()
    await expectFailure(.invalidConfiguration, "The account is not the e-mail address of a service account") {
      try GoogleCredential.metadataServer(account: account, in: cloud.environment())
    }
  }

  @Test func accountMayHaveEveryCharacterOfAnAddress() async throws {
    let cloud = try await machine()
    let account = "azAZ09.-_@example.com"
    #expect(try GoogleCredential.metadataServer(account: account, in: cloud.environment()).principal == account)
    #expect(try GoogleCredential.metadataServer(account: "default", in: cloud.environment()).principal == nil)
  }

  @Test(arguments: [
    ("GCE_METADATA_HOST", "evil.example/x?"), ("GCE_METADATA_HOST", "a@b"), ("GCE_METADATA_HOST", "host:99999999"),
    ("GCE_METADATA_HOST", "user:pw@host"), ("GCE_METADATA_HOST", "host#"), ("GCE_METADATA_ROOT", "a/b"),
  ])
  func hostOfTheVariableIsChecked(_ variable: String, _ host: String) async throws {
    let cloud = try await machine()
    await expectFailure(.invalidConfiguration, "\(variable) is not a host, optionally with a port") {
      try GoogleCredential.metadataServer(in: cloud.environment([variable: host]))
    }
  }

  @Test(
    arguments: [
      (["GCE_METADATA_HOST": "127.0.0.1:65535"], "127.0.0.1:65535"), (["GCE_METADATA_ROOT": "root"], "root"),
      (["GCE_METADATA_ROOT": "root", "GCE_METADATA_HOST": "host"], "host"),
      (["GCE_METADATA_ROOT": "root", "GCE_METADATA_HOST": ""], "root"), ([:], "metadata.google.internal"),
    ])
  func hostIsThatOfTheVariables(_ variables: [String: String], _ host: String) async throws {
    let cloud = try await machine()
    let credential = try GoogleCredential.metadataServer(in: cloud.environment(variables))
    #expect(credential.location == .metadataServer(host: host))
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
    ("Other", good, 200, genuine), (nil, good, 200, genuine), ("Google", "<html>", 200, noToken),
    ("Google", #"{"expires_in":60}"#, 200, noToken), ("Google", #"{"access_token":"","expires_in":60}"#, 200, noToken),
    ("Google", #"{"access_token":"a"}"#, 200, noToken),
    ("Google", #"{"access_token":"a","expires_in":0}"#, 200, noToken),
    ("Google", "forbidden", 403, "responded with status 403"),
    (
      "Google", "", 404,
      "has no service account for this program. Attach one to the machine or service"
    ),
  ])
  func responseOfAnotherServerIsRefused(
    _ flavor: String?, _ body: String, _ status: Int, _ problem: String
  ) async throws {
    let environment = Self.environment { _ in
      HTTPResponse(status: status, fields: flavor.map { ["Metadata-Flavor": $0] } ?? [:], body: Array(body.utf8))
    }
    let credential = try GoogleCredential.metadataServer(in: environment)
    await expectFailure(.metadataServerFailed, "The metadata server 127.0.0.1:8080 \(problem)") {
      try await credential.accessToken()
    }
  }

  private static let good = #"{"access_token":"a","expires_in":60}"#
  private static let genuine = "did not identify itself as Google's. Check GCE_METADATA_HOST and the network"
  private static let noToken = "responded without an access token"

  @Test func responseOfARedirectIsNotGenuine() async throws {
    let environment = Self.environment { _ in
      HTTPResponse(
        status: 200, fields: ["Metadata-Flavor": "Google"], body: Array(Self.good.utf8),
        redirectedOrigin: Origin("https://evil.example"))
    }
    await expectFailure(.metadataServerFailed, Self.genuine) {
      try await GoogleCredential.metadataServer(in: environment).accessToken()
    }
  }

  @Test(arguments: [
    (#"{"access_token":"a","expires_in":1}"#, 1, "Bearer"),
    (#"{"access_token":"a","expires_in":86399,"token_type":"MAC"}"#, 86_399, "MAC"),
    (#"{"access_token":"a","expires_in":86400}"#, 86_400, "Bearer"),
    (#"{"access_token":"a","expires_in":86401}"#, 86_400, "Bearer"),
    (#"{"access_token":"a","expires_in":9223372036854775807}"#, 86_400, "Bearer"),
  ])
  func tokenIsRead(_ body: String, _ lifetime: Int, _ type: String) async throws {
    let clock = ManualClock()
    let environment = Self.environment(clock: clock) { _ in
      HTTPResponse(status: 200, fields: ["Metadata-Flavor": "Google"], body: Array(body.utf8))
    }
    let token = try await GoogleCredential.metadataServer(in: environment).accessToken()
    #expect(token.expiresAt == clock.now + .seconds(lifetime) && token.issuedAt == clock.now)
    #expect(token.type == type && token.scopes == [])
  }

  @Test func serverThatFailsForTheMomentIsSaid() async throws {
    let environment = Self.environment { _ in HTTPResponse(status: 503) }
    let credential = try GoogleCredential.metadataServer(in: environment)
    await expectFailure(.serverUnavailable, "Try again later") { try await credential.accessToken() }
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
    #expect(error?.message == "The metadata server did not respond in time.")
  }
}
