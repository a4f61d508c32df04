// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import Testing

/// The errors of links and of kept requests, which name the parameter.
@Suite struct AppFlipErrorTests {
  @Test(
    arguments: [
      (try #require(URL(string: "https://app.example/other")), "Handle it as any other link of the app"),
      (try Fixtures.link(redirect: nil), "redirect_uri is missing"),
      (try Fixtures.link(rest: "&redirect_uri=x"), "redirect_uri occurs more than once"),
      (try Fixtures.link(redirect: "https://attacker.example"), "redirect_uri is not one of Google's"),
      (try Fixtures.link(redirect: Fixtures.redirect + ".other"), "Allow its bundle identifier if it is Google's"),
      (try Fixtures.link(rest: "&x=1&x=2"), "A parameter occurs more than once"),
      (try Fixtures.link(rest: "&state=s1"), "state occurs more than once"),
      (try Fixtures.link(clientID: nil), "client_id is missing"),
      (try Fixtures.link(clientID: "other"), "client_id is not the registered client"),
      (try Fixtures.link(state: nil), "state is missing"),
      (try Fixtures.link(scope: "a%0Ab"), "scope contains a character that no scope allows"),
    ] as [(URL, String)])
  func faultOfALinkIsExplained(_ link: URL, _ remedy: String) throws {
    let error = try #require(throws: AppFlipError.self) { try Fixtures.google.request(from: link) }
    #expect(error.message.contains(remedy) && error.localizedDescription == error.message)
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
    #expect(state.codingPath.map(\.stringValue) == ["state"])
    let redirect = try context("a", "https://attacker.example")
    #expect(redirect.codingPath.map(\.stringValue) == ["redirect"])
  }
}
