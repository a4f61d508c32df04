// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import Testing

@Suite struct AppFlipRequestCodableTests {
  private static let kept =
    #"{"clientID":"google-home","redirect":"REDIRECT","scopes":["email"],"state":"STATE"}"#

  private func decode(state: String, redirect: String = Fixtures.redirect) throws -> AppFlipRequest {
    let text = Self.kept.replacing("STATE", with: state).replacing("REDIRECT", with: redirect)
    return try JSONDecoder().decode(AppFlipRequest.self, from: Data(text.utf8))
  }

  /// Expects that a request that was damaged is not read, and that the error names the member.
  private func expectFault(
    at member: String, _ reason: String, state: String = "s1", redirect: String = Fixtures.redirect
  )
    throws
  {
    let error = try #require(throws: DecodingError.self, "\(reason)") { try decode(state: state, redirect: redirect) }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == [member])
  }

  @Test(arguments: ["s1", "a%2fb+c%FF", "a=b==", "a/b?c:d@e!$'()*,;", "%26code%3Devil"])
  func requestThatWasKeptIsAnsweredAlike(_ state: String) throws {
    let request = try Fixtures.google.request(from: Fixtures.link(scope: "email+openid", state: state))
    let read = try JSONDecoder().decode(AppFlipRequest.self, from: JSONEncoder().encode(request))
    #expect(read == request)
    #expect(read.response(code: "4/x").url == request.response(code: "4/x").url)
    #expect(read.refuse(.accessDenied).url.absoluteString.hasSuffix("&state=\(state)"))
  }

  @Test func formIsStable() throws {
    #expect(try decode(state: "s1") == Fixtures.google.request(from: Fixtures.link(scope: "email")))
  }

  @Test(arguments: [
    ("", "empty"), ("s1&code=evil", "a parameter more"), ("s1#x", "a fragment"), ("a b", "a space"),
    ("%zz", "a broken escape"), ("caf\u{E9}", "beyond ASCII"), ("a\\nb", "a line break"),
  ])
  func stateThatIsNoQueryValueIsRefused(_ state: String, _ reason: String) throws {
    try expectFault(at: "state", reason, state: state)
  }

  @Test(arguments: [
    "https://attacker.example/a/com.google.OPA", "http://oauth-redirect.googleusercontent.com/a/com.google.OPA",
    "https://oauth-redirect.googleusercontent.com/a/", "",
  ])
  func redirectThatIsNotGooglesIsRefused(_ redirect: String) throws {
    try expectFault(at: "redirect", redirect, redirect: redirect)
  }
}
