// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing
import TokenStore

/// The client that is treated as Google treats a desktop app.
@Suite struct DesktopClientTests {
  private static let id = Sandbox.Client.desktop.id
  private static let secret = "sandbox-secret"
  private static let emailScope = "https://www.googleapis.com/auth/userinfo.email"
  private static let profileScope = "https://www.googleapis.com/auth/userinfo.profile"

  private static let basic: HTTPFields = [
    "Authorization": "Basic \(Data("\(id):\(secret)".utf8).base64EncodedString())"
  ]

  private func signIn(_ harness: SandboxHarness, scope: String = SandboxHarness.calendarScope) async throws -> Answer {
    let code = try harness.code(["client_id": Self.id, "scope": scope])
    return try await harness.redeem(code, ["client_id": Self.id, "client_secret": Self.secret])
  }

  @Test(
    "Any host name, port and path of loopback",
    arguments: [
      "http://localhost", "http://localhost/", "http://localhost:8080/", "http://localhost:1/oauth/callback?a=b",
      "http://127.0.0.1:65535/", "http://127.0.0.1", "http://[::1]:53682/cb",
    ])
  func acceptsLoopback(redirectURI: String) throws {
    let harness = try SandboxHarness()
    let url = try harness.authorizationURL(["client_id": Self.id, "redirect_uri": redirectURI])
    #expect(try harness.sandbox.approve(url).absoluteString.hasPrefix(redirectURI))
  }

  @Test(
    "Nothing but loopback",
    arguments: [
      "http://attacker.example/", "http://localhost.attacker.example/", "http://localhost@attacker.example/",
      "http://localhost:80@attacker.example/", "https://localhost/", "http://localhost:0/", "http://localhost:65536/",
      "http://localhost:/", "http://localhost/#a", "http://LOCALHOST.example/", "http://127.0.0.2/", "localhost",
      "com.example.app:/callback",
    ])
  func refusesOtherHosts(redirectURI: String) throws {
    let harness = try SandboxHarness()
    let url = try harness.authorizationURL(["client_id": Self.id, "redirect_uri": redirectURI])
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(url) }
  }

  @Test func theSecretMayComeInEitherWay() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code(["client_id": Self.id])
    let first = try await harness.redeem(code, ["client_id": nil], fields: Self.basic)
    #expect(first.status == 200)
    let token = try #require(first["refresh_token"])
    #expect(try await harness.refresh(token, ["client_id": Self.id, "client_secret": Self.secret]).status == 200)
  }

  @Test func theSecretMustComeOnceAndBeRight() async throws {
    let harness = try SandboxHarness()
    let refused: [(KeyValuePairs<String, String?>, HTTPFields, String)] = [
      (["client_id": Self.id], [:], "invalid_client"),
      (["client_id": Self.id, "client_secret": "wrong"], [:], "invalid_client"),
      (["client_id": Self.id, "client_secret": Self.secret], Self.basic, "invalid_request"),
    ]
    for (changes, fields, error) in refused {
      let code = try harness.code(["client_id": Self.id])
      #expect(try await harness.redeem(code, changes, fields: fields)["error"] == error, "\(changes)")
    }
  }

  @Test func pkceMayBeLeftOutWholly() async throws {
    let harness = try SandboxHarness()
    let without: KeyValuePairs<String, String?> = [
      "client_id": Self.id, "code_challenge": nil, "code_challenge_method": nil,
    ]
    let credentials: KeyValuePairs<String, String?> = [
      "client_id": Self.id, "client_secret": Self.secret, "code_verifier": nil,
    ]
    #expect(try await harness.redeem(try harness.code(without), credentials).status == 200)
    // RFC 9700 § 4.8.2: a verifier without a challenge means that an attacker removed the challenge.
    let verifier: KeyValuePairs<String, String?> = ["client_id": Self.id, "client_secret": Self.secret]
    #expect(try await harness.redeem(try harness.code(without), verifier)["error"] == "invalid_grant")
    #expect(try await harness.redeem(try harness.code(["client_id": Self.id]), credentials)["error"] == "invalid_grant")
  }

  @Test func aPublicClientCannotLeavePKCEOut() throws {
    let client = Sandbox.Client(
      id: "almanac", name: "App", redirectURIs: [SandboxHarness.redirectURI], googleBehaviors: [.optionalPKCE])
    let harness = try SandboxHarness { $0.clients = [client] }
    let url = try harness.authorizationURL(["code_challenge": nil, "code_challenge_method": nil])
    #expect(harness.parameters(of: try harness.sandbox.approve(url))["error"] == "invalid_request")
  }

  @Test(arguments: [true, false])
  func theTokenAloneRevokes(inQuery: Bool) async throws {
    let harness = try SandboxHarness()
    let answer = try await signIn(harness)
    let token = try #require(answer["refresh_token"])
    let revoked =
      try await inQuery ? harness.post("/revoke?token=\(token)", [:]) : harness.post("/revoke", ["token": token])
    #expect(revoked.status == 200)
    #expect(try await !harness.isGood(try #require(answer["access_token"])))
    let refreshed = try await harness.refresh(token, ["client_id": Self.id, "client_secret": Self.secret])
    #expect(refreshed["error"] == "invalid_grant")
  }

  @Test func theTokenOfAnotherClientDoesNotRevokeAlone() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    for path in ["/revoke?token=\(token)", "/revoke"] {
      #expect(try await harness.post(path, ["token": token]).status != 200)
    }
    #expect(try await harness.isGood(token))
  }

  @Test func wrongCredentialsDoNotRevoke() async throws {
    let harness = try SandboxHarness()
    let token = try #require(try await signIn(harness)["access_token"])
    let form: FormFields = ["token": token, "client_id": Self.id, "client_secret": "wrong"]
    #expect(try await harness.post("/revoke", form)["error"] == "invalid_client")
    #expect(try await harness.isGood(token))
  }

  @Test(arguments: [
    ("email", [emailScope, "openid"]), ("profile email", [profileScope, emailScope, "openid"]),
    ("openid email", ["openid", emailScope]), ("email \(emailScope)", [emailScope, "openid"]),
    ("\(emailScope) openid", [emailScope, "openid"]), (SandboxHarness.calendarScope, [SandboxHarness.calendarScope]),
  ])
  func scopesComeBackByGooglesNames(requested: String, granted: [String]) async throws {
    let answer = try await signIn(try SandboxHarness(), scope: requested)
    #expect(answer["scope"] == granted.joined(separator: " "))
    #expect((answer["id_token"] != nil) == granted.contains("openid"))
  }

  @Test func eitherNameOfAScopeNarrowsARefresh() async throws {
    let harness = try SandboxHarness()
    var token = try #require(try await signIn(harness, scope: "email \(SandboxHarness.calendarScope)")["refresh_token"])
    for name in ["email", Self.emailScope] {
      let answer = try await harness.refresh(
        token, ["client_id": Self.id, "client_secret": Self.secret, "scope": name])
      #expect(answer["scope"] == "\(Self.emailScope) openid")
      token = try #require(answer["refresh_token"])
    }
  }

  @Test(arguments: ["email", emailScope])
  func theUserMayTickLess(name: String) async throws {
    let harness = try SandboxHarness()
    let url = try harness.authorizationURL(["client_id": Self.id, "scope": "email \(SandboxHarness.calendarScope)"])
    let code = try #require(harness.parameters(of: try harness.sandbox.approve(url, granting: [Scope(name)]))["code"])
    let answer = try await harness.redeem(code, ["client_id": Self.id, "client_secret": Self.secret])
    #expect(answer["scope"] == "\(Self.emailScope) openid")
  }

  @Test func userinfoKnowsTheLongNames() async throws {
    let harness = try SandboxHarness()
    let token = try #require(try await signIn(harness, scope: "email profile")["access_token"])
    let profile = try await harness.get("/userinfo", token: token)
    #expect(profile["email"] == "person@example.com")
    #expect(profile["name"] == "Sample Person")
  }

  @Test func anotherClientGetsTheNamesThatItRequested() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.signIn(scope: "openid \(Self.emailScope) profile")
    #expect(answer["scope"] == "openid \(Self.emailScope) profile")
    let token: String = try #require(answer["access_token"])
    let profile = try await harness.get("/userinfo", token: token)
    #expect(profile["email"] == "person@example.com")
    #expect(try await harness.signIn(scope: "email")["scope"] == "email")
  }
}
