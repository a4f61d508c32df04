// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import Testing

/// The messages of all errors, which name the parameter and what to do.
@Suite struct AppFlipErrorTests {
  private func expect(_ error: AppFlipError, says message: String) {
    #expect(error.message == message)
    #expect(error.description == message && error.errorDescription == message)
    #expect(error.localizedDescription == message)
  }

  @Test(
    arguments: [
      (
        try #require(URL(string: "https://app.example/other")),
        "The URL is not an App Flip link. Handle it as any other link of the app."
      ),
      (try Fixtures.link(redirect: nil), "redirect_uri is missing."),
      (try Fixtures.link(rest: "&redirect_uri=x"), "redirect_uri occurs more than once."),
      (
        try Fixtures.link(redirect: "https://attacker.example"),
        "redirect_uri is not one of Google's App Flip redirect URIs."
      ),
      (
        try Fixtures.link(redirect: Fixtures.redirect + ".other"),
        "redirect_uri names an app that is not allowed. Allow its bundle identifier if it is Google's."
      ),
      (try Fixtures.link(rest: "&x=1&x=2"), "A parameter occurs more than once."),
      (try Fixtures.link(rest: "&state=s1"), "state occurs more than once."),
      (try Fixtures.link(clientID: nil), "client_id is missing."),
      (try Fixtures.link(clientID: "other"), "client_id is not the registered client."),
      (try Fixtures.link(state: nil), "state is missing."),
      (try Fixtures.link(scope: "a%0Ab"), "scope contains a character that no scope allows."),
    ] as [(URL, String)])
  func faultOfALinkIsExplained(_ link: URL, _ message: String) throws {
    expect(try #require(throws: AppFlipError.self) { try Fixtures.google.request(from: link) }, says: message)
  }

  @Test(arguments: [
    (AppFlipError.Code.notAppFlip, "notAppFlip"), (.missingParameter, "missingParameter"),
    (.repeatedParameter, "repeatedParameter"), (.malformedParameter, "malformedParameter"),
    (.unknownClient, "unknownClient"), (.untrustedRedirect, "untrustedRedirect"), (.untrustedApp, "untrustedApp"),
  ])
  func codeIsShownByItsName(_ code: AppFlipError.Code, _ name: String) {
    #expect("\(code)" == name)
    let error = AppFlipError(code, "A message.")
    #expect(error.code == code && error.parameter == nil && error.response == nil)
  }

  @Test func keptRequestThatIsDamagedIsExplained() throws {
    func context(_ state: String, _ redirect: String) throws -> DecodingError.Context {
      let json = #"{"clientID":"a","redirect":"\#(redirect)","scopes":[],"state":"\#(state)"}"#
      let error = try #require(throws: DecodingError.self) {
        try JSONDecoder().decode(AppFlipRequest.self, from: Data(json.utf8))
      }
      guard case .dataCorrupted(let context) = error else { throw error }
      return context
    }
    let state = try context("a&b", Fixtures.redirect)
    #expect(state.debugDescription == "The state is not the value of a query parameter.")
    #expect(state.codingPath.map(\.stringValue) == ["state"])
    let redirect = try context("a", "https://attacker.example")
    #expect(redirect.debugDescription == "The text is not an App Flip redirect URI.")
    #expect(redirect.codingPath.map(\.stringValue) == ["redirect"])
  }
}
