// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct ProtectedResourceTests {
  private let harness: SandboxHarness

  init() throws { harness = try SandboxHarness() }

  private static let calendar = "https://sandbox.example/calendar/v3"
  private static let userinfo = "https://sandbox.example/userinfo"

  /// A token endpoint's response to a code that was requested for some resources.
  private func signIn(_ resources: [String], scope: String = "openid \(SandboxHarness.calendarScope)") async throws
    -> Answer
  {
    var fields = FormEncoding.form.decode(
      try harness.authorizationURL(["scope": scope]).query(percentEncoded: true) ?? "")
    for resource in resources { fields.append("resource", resource) }
    let callback = try harness.sandbox.approve(try harness.url(fields))
    return try await harness.redeem(try #require(harness.parameters(of: callback)["code"]))
  }

  @Test func tokenIsForTheResourcesThatWereRequested() async throws {
    let both = try await signIn([Self.calendar, Self.userinfo])
    let refresh = try #require(both["refresh_token"])
    let one = try await harness.refresh(refresh, ["resource": Self.userinfo])
    for (answer, calendar, userinfo) in [
      (both, 200, 200), (one, 401, 200), (try await signIn([Self.calendar]), 200, 401),
    ] {
      let token = try #require(answer["access_token"])
      #expect(try await harness.get("/calendar/v3/colors", token: token).status == calendar)
      #expect(try await harness.get("/userinfo", token: token).status == userinfo)
    }
  }
}
