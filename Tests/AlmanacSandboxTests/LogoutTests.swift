// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct LogoutTests {
  private func path(_ fields: FormFields) -> String { "/logout?" + FormEncoding.form.encode(fields) }

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
    let hint = try #require(try await SandboxHarness().signIn(scope: "openid")["id_token"])
    let other = try SandboxHarness()
    #expect(try await other.get(path(["id_token_hint": hint])).status == 400)
    let url = try #require(URL(string: SandboxHarness.base + path(["id_token_hint": hint])))
    await #expect(throws: SandboxError.self) { try await other.sandbox.signOut(at: url) }
  }
}
