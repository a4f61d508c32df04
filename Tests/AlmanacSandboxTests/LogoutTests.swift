// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing

@Suite struct LogoutTests {
  private static let callback = "https://app.example/signed-out"

  private func harness() throws -> SandboxHarness {
    var client = Sandbox.Client.native
    client.postLogoutRedirectURIs = [Self.callback, Self.callback + "?a=1"]
    var other = client
    other.id = "other"
    return try SandboxHarness(.init(clients: [client, other], idTokenAlgorithm: .es256))
  }

  private func idToken(_ harness: SandboxHarness) async throws -> String {
    try #require(try await harness.signIn(scope: "openid")["id_token"])
  }

  private func path(_ fields: FormFields) -> String { "/logout?" + FormEncoding.form.encode(fields) }

  @Test func userGoesBackToTheApplicationWithItsState() async throws {
    let harness = try harness()
    let hint = try await idToken(harness)
    // § 2: an ID token is a hint also after its time.
    harness.clock.advance(by: .seconds(86_400))
    let response = try await harness.get(
      path(["id_token_hint": hint, "post_logout_redirect_uri": Self.callback, "state": "a b"]))
    #expect(response.status == 303)
    #expect(response.response.fields["Location"] == "https://app.example/signed-out?state=a+b")
    let second = try await harness.get(
      path(["id_token_hint": hint, "post_logout_redirect_uri": Self.callback + "?a=1", "state": "s"]))
    #expect(second.response.fields["Location"] == "https://app.example/signed-out?a=1&state=s")
    #expect(harness.sandbox.log.count { $0.kind == .userSignedOut } == 1)
    let bare = try await harness.get(path(["id_token_hint": hint]))
    #expect(bare.status == 200 && bare.text.contains("<h1>Signed out</h1>"))
  }

  @Test func userWhoIsNotKnownToTheApplicationIsAsked() async throws {
    let harness = try harness()
    _ = try await idToken(harness)
    let fields: FormFields = ["client_id": "almanac", "post_logout_redirect_uri": Self.callback, "state": "s"]
    for path in [path(fields), path(fields) + "&confirmed=yes"] {
      let page = try await harness.get(path)
      #expect(page.status == 200 && page.text.contains("<h1>Sign out?</h1>"))
      #expect(page.text.contains(#"<input type="hidden" name="state" value="s">"#))
    }
    var confirmed = fields
    confirmed["confirmed"] = "yes"
    #expect(try await harness.post("/logout", confirmed, fields: ["Sec-Fetch-Site": "cross-site"]).status == 200)
    #expect(!harness.sandbox.log.contains { $0.kind == .userSignedOut })
    let response = try await harness.post("/logout", confirmed, fields: ["Sec-Fetch-Site": "same-origin"])
    #expect(response.status == 303 && response.response.fields["Location"] == Self.callback + "?state=s")
    #expect(harness.sandbox.log.contains { $0.kind == .userSignedOut })
  }

  @Test(
    "What is not registered or not the server's is refused",
    arguments: [
      ["id_token_hint": "HINT", "post_logout_redirect_uri": "https://evil.example/"],
      ["id_token_hint": "HINT", "post_logout_redirect_uri": callback + "/"],
      ["id_token_hint": "HINT", "client_id": "other"], ["id_token_hint": "a.b.c"], ["client_id": "unknown"],
      ["post_logout_redirect_uri": callback],
    ] as [KeyValuePairs<String, String>])
  func refusals(_ parameters: KeyValuePairs<String, String>) async throws {
    let harness = try harness()
    let hint = try await idToken(harness)
    var fields = FormFields()
    for (name, value) in parameters { fields.append(name, value == "HINT" ? hint : value) }
    let response = try await harness.get(path(fields))
    #expect(response.status == 400 && response.response.fields["Location"] == nil)
    #expect(!harness.sandbox.log.contains { $0.kind == .userSignedOut })
    let url = try #require(URL(string: SandboxHarness.base + path(fields)))
    await #expect(throws: SandboxError.self) { try await harness.sandbox.signOut(at: url) }
  }

  @Test func hintEndsTheSessionOfItsUserAlone() async throws {
    var configuration = Sandbox.Configuration(idTokenAlgorithm: .es256)
    configuration.otherUsers = [Sandbox.User(subject: "2", email: "other@example.com")]
    let harness = try SandboxHarness(configuration)
    var hints: [String] = []
    for user in ["person@example.com", "other@example.com"] {
      let callback = try harness.sandbox.approve(harness.authorizationURL(["scope": "openid"]), as: user)
      let code = try #require(harness.parameters(of: callback)["code"])
      hints.append(try #require(try await harness.redeem(code)["id_token"]))
    }
    for (hint, count) in [(hints[1], 1), (hints[1], 1), (hints[0], 2)] {
      _ = try await harness.get(path(["id_token_hint": hint]))
      #expect(harness.sandbox.log.count { $0.kind == .userSignedOut } == count)
    }
  }

  @Test func idTokenOfAnotherSandboxIsNoHint() async throws {
    for _ in 1...5 {
      let hint = try await idToken(try harness())
      #expect(try await harness().get(path(["id_token_hint": hint])).status == 400)
    }
  }

  @Test func malformedRequirementIsRefused() async throws {
    let harness = try harness()
    for (name, value) in [("max_age", "soon"), ("max_age", "-1"), ("claims", "[]"), ("claims", "{")] {
      let callback = try harness.sandbox.approve(harness.authorizationURL([name: value]))
      #expect(harness.parameters(of: callback)["error"] == "invalid_request", "\(name)=\(value)")
    }
    let essential = #"{"id_token":{"acr":{"essential":true,"values":["gold"]}}}"#
    let callback = try harness.sandbox.approve(harness.authorizationURL(["claims": essential]))
    #expect(harness.parameters(of: callback)["error"] == "unmet_authentication_requirements")
  }
}
