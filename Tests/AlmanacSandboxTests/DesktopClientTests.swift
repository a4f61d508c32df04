// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing
import TokenStore

/// The scopes of the client that is treated as Google treats a desktop app; `desktop.txt` has its other rules.
@Suite struct DesktopClientTests {
  private static let id = Sandbox.Client.desktop.id
  private static let secret = "sandbox-secret"
  private static let emailScope = "https://www.googleapis.com/auth/userinfo.email"
  private static let profileScope = "https://www.googleapis.com/auth/userinfo.profile"

  private func signIn(
    _ harness: SandboxHarness, client: String = id, scope: String, granting scopes: Set<Scope>? = nil
  ) async throws -> Answer {
    let url = try harness.authorizationURL(["client_id": client, "scope": scope])
    let callback = try harness.sandbox.approve(url, granting: scopes)
    let code = try #require(harness.parameters(of: callback)["code"])
    return try await harness.redeem(
      code, ["client_id": client, "client_secret": client == Self.id ? Self.secret : nil])
  }

  @Test(arguments: [
    (id, "email", [emailScope, "openid"]), (id, "profile email", [profileScope, emailScope, "openid"]),
    (id, "openid email", ["openid", emailScope]), (id, "email \(emailScope)", [emailScope, "openid"]),
    (id, "\(emailScope) openid", [emailScope, "openid"]),
    (id, "\(SandboxHarness.calendarScope)", [SandboxHarness.calendarScope]),
    ("almanac", "openid \(emailScope) profile", ["openid", emailScope, "profile"]), ("almanac", "email", ["email"]),
  ])
  func scopesComeBackByGooglesNames(client: String, requested: String, granted: [String]) async throws {
    let harness = try SandboxHarness()
    let answer = try await signIn(harness, client: client, scope: requested)
    #expect(answer["scope"] == granted.joined(separator: " "))
    #expect((answer["id_token"] != nil) == granted.contains("openid"))
    guard granted.contains("openid") else { return }
    let profile = try await harness.get("/userinfo", token: answer["access_token"])
    #expect(profile["email"] == "person@example.com")
    #expect(profile["name"] == (requested.contains("profile") ? "Sample Person" : nil))
  }

  @Test func eitherNameOfAScopeNarrowsARefresh() async throws {
    let harness = try SandboxHarness()
    let first = try await signIn(harness, scope: "email \(SandboxHarness.calendarScope)")
    var token = try #require(first["refresh_token"])
    for name in ["email", Self.emailScope] {
      let answer = try await harness.refresh(
        token, ["client_id": Self.id, "client_secret": Self.secret, "scope": name])
      #expect(answer["scope"] == "\(Self.emailScope) openid")
      token = try #require(answer["refresh_token"])
    }
  }

  @Test(arguments: ["email", emailScope])
  func theUserMayTickLess(name: String) async throws {
    let answer = try await signIn(
      SandboxHarness(), scope: "email \(SandboxHarness.calendarScope)", granting: [Scope(name)])
    #expect(answer["scope"] == "\(Self.emailScope) openid")
  }
}
