// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
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
    return try SandboxHarness { $0.clients = [client, other] }
  }

  private func idToken(_ harness: SandboxHarness) async throws -> String {
    try #require(try await harness.signIn(scope: "openid")["id_token"])
  }

  private func path(_ fields: FormFields) -> String { "/logout?" + FormEncoding.form.encode(fields) }

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
    let harness = try SandboxHarness {
      $0.otherUsers = [Sandbox.User(subject: "2", email: "other@example.com")]
    }
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
}
