// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthCore
import OpenIDConnect
import Testing

@Suite struct FrontChannelLogoutTests {
  private func read(_ query: String, requiresSession: Bool = true) throws -> FrontChannelLogout {
    try FrontChannelLogout(
      #require(URL(string: "https://app.example/end" + query)), from: SigningIssuer().client.server,
      requiresSession: requiresSession)
  }

  @Test func sessionThatIsNamedIsMeantAlone() throws {
    let logout = try read("?tenant=1&iss=https%3A%2F%2Flogin.example&sid=s-1")
    #expect(logout.sessionID == "s-1")
    #expect(logout.concerns(sessionID: "s-1"))
    #expect(!logout.concerns(sessionID: "s-2") && !logout.concerns(sessionID: nil) && !logout.concerns(sessionID: ""))
  }

  @Test func requestWithoutASessionIsAcceptedOnlyWhereNoneIsRequired() async throws {
    try await expect(.invalidCallback) { _ = try read("") }
    #expect(try read("", requiresSession: false).concerns(sessionID: "s-1"))
    #expect(try read("", requiresSession: false).concerns(sessionID: nil))
  }

  @Test(arguments: [
    ("?iss=https%3A%2F%2Fevil.example&sid=s-1", OAuthError.Code.issuerMismatch),
    ("?iss=https%3A%2F%2Flogin.example%2F&sid=s-1", .issuerMismatch), ("?iss=&sid=s-1", .issuerMismatch),
    ("?iss=https%3A%2F%2Flogin.example", .invalidCallback), ("?sid=s-1", .invalidCallback),
    ("?iss=https%3A%2F%2Flogin.example&sid=", .invalidCallback),
    ("?iss=https%3A%2F%2Flogin.example&sid=s-1&sid=s-2", .invalidCallback),
    ("?iss=https%3A%2F%2Flogin.example&iss=https%3A%2F%2Flogin.example&sid=s-1&sid=s-2", .invalidCallback),
  ])
  func otherFormsAreRefused(_ query: String, _ code: OAuthError.Code) async throws {
    for requiresSession in [true, false] {
      try await expect(code) { _ = try read(query, requiresSession: requiresSession) }
    }
  }
}
