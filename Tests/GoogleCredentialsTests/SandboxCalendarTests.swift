// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import HTTPTransportCurl
import JSONCoding
import LoopbackHTTP
import OAuthCore
import OAuthJOSE
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Credentials of the Google Cloud sandbox at the Calendar API of the sandbox.
@Suite(.takesTurns) struct SandboxCalendarTests {
  private static let user = "ada@example.com"

  private let cloud: Cloud
  private let sandbox: Sandbox

  init() async throws {
    let cloud = try await Cloud {
      $0.attachedAccount = Cloud.account
      $0.serviceAccounts[0].tokenCreators = [Cloud.account]
    }
    self.cloud = cloud
    sandbox = Sandbox(clock: cloud.clock) {
      $0.user = Sandbox.User(email: "first@example.com")
      $0.otherUsers = [Sandbox.User(subject: "2", email: Self.user)]
      $0.googleCloud = cloud.sandbox.configuration
    }
  }

  /// The identifier of the primary calendar of a credential's account.
  private func primary(
    of credential: GoogleCredential, at base: URL = Sandbox.inProcessURL, through transport: some Transport
  ) async throws -> String? {
    let api = transport.authorized(by: credential, for: [try #require(Origin(base))])
    let response = try await api.send(HTTPRequest(.get, base.appending(path: "calendar/v3/calendars/primary")))
    #expect(response.status == 200)
    return try JSONValue(json: response.body)["id"]?.string
  }

  private func environment(_ transport: some Transport, _ variables: [String: String] = [:]) -> CredentialEnvironment {
    CredentialEnvironment(
      transport: transport, clock: cloud.clock, variables: variables.merging(["HOME": "/home/ada"]) { $1 },
      files: FixedFiles())
  }

  @Test func serviceAccountOpensItsOwnCalendarOrAUsers() async throws {
    let transport = sandbox.transport()
    for (subject, expected) in [(nil, Cloud.account), (Self.user, Self.user)] {
      let credential = try GoogleCredential.json(
        Array(try cloud.keyFile().utf8), scopes: [Cloud.scope], subject: subject, in: environment(transport))
      #expect(try await primary(of: credential, through: transport) == expected)
    }
  }

  @Test func loopbackServesTheSame() async throws {
    let server = try await sandbox.serve()
    let base = server.url.appending(path: "")
    // No proxy of the environment stands between.
    let sockets = CurlTransport(proxy: .none)
    do {
      let attached = try GoogleCredential.metadataServer(
        scopes: [Cloud.scope], in: environment(sockets, ["GCE_METADATA_HOST": "127.0.0.1:\(server.port)"]))
      #expect(try await primary(of: attached, at: base, through: sockets) == Cloud.account)
      let forwarding = try #require(sandbox.googleCloud).forwarding(to: server.url, through: sockets)
      let delegated = try GoogleCredential.json(
        Array(try cloud.keyFile().utf8), scopes: [Cloud.scope], subject: Self.user, in: environment(forwarding))
      #expect(try await primary(of: delegated, at: base, through: sockets) == Self.user)
      let source = try GoogleCredential.json(
        Array(try cloud.keyFile().utf8), scopes: [Cloud.scope], in: environment(forwarding))
      let impersonated = try source.impersonating(Cloud.target, scopes: [Cloud.scope])
      #expect(try await primary(of: impersonated, at: base, through: sockets) == Cloud.target)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// Google's clients differ in the audience that they name when a key file has a token endpoint of its own.
  @Test(arguments: [
    ("https://oauth2.googleapis.com/token", 200), ("http://127.0.0.1:8/oauth2.googleapis.com/token", 200),
    ("http://127.0.0.1:9/oauth2.googleapis.com/token", 400), ("https://example.com/token", 400),
  ])
  func assertionIsForGooglesEndpointOrTheOneItIsSentTo(_ audience: String, _ expected: Int) async throws {
    let now = cloud.clock.now.secondsSince1970
    let claims: JSONValue = [
      "iss": .string(Cloud.account), "scope": .string(Cloud.scope.rawValue), "aud": .string(audience),
      "iat": .number(JSONNumber(now)),
      "exp": .number(JSONNumber(now + 3600)),
    ]
    let assertion = try JWS.sign(claims.json(), with: cloud.key, keyID: "key-1")
    let form: FormFields = ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion]
    let request = HTTPRequest(
      .post, try #require(URL(string: "http://127.0.0.1:8/oauth2.googleapis.com/token")),
      fields: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array(FormEncoding.form.encode(form).utf8))
    #expect(await sandbox.respond(to: request).status == expected)
  }

  /// At Google, too.
  @Test func accountNeedsTheRoleOnItself() async throws {
    let own = try await Cloud { $0.serviceAccounts[0].tokenCreators = [Cloud.account] }
    for (cloud, isAllowed) in [(try await Cloud(), false), (own, true)] {
      let credential = try cloud.credential(try cloud.keyFile()).impersonating(Cloud.account, scopes: [Cloud.scope])
      #expect(((try? await credential.accessToken()) != nil) == isAllowed)
    }
  }

  @Test func madeKeyOpensTheCalendarOfAUser() async throws {
    let clock = ManualClock()
    let email = "robot@sandbox-project.iam.gserviceaccount.com"
    let keyFile = try await GoogleCloudSandbox.KeyFile.make(for: email)
    #expect(!"\(keyFile)".contains("PRIVATE"))
    var robot = GoogleCloudSandbox.ServiceAccount(email: email, keys: keyFile.publicKeys)
    robot.delegators = ["ana@example.com"]  // Domain-wide delegation.
    robot.tokenCreators = [robot.email]  // An account needs the role to impersonate itself, too.
    let sandbox = Sandbox(clock: clock) {
      $0.user = Sandbox.User(email: "ana@example.com")
      $0.googleCloud = .init(serviceAccounts: [robot])
    }
    let transport = sandbox.transport()  // Serves Google Cloud's hosts, too.
    let credential = try GoogleCredential.json(
      Array(keyFile.content.reveal().utf8), scopes: [Cloud.scope], subject: "ana@example.com",
      in: CredentialEnvironment(transport, clock: clock, ["HOME": "/home/ada"]))
    #expect(try await primary(of: credential, through: transport) == "ana@example.com")
  }
}
