// SPDX-License-Identifier: Apache-2.0

import AppFlip
import TestSupport
import Testing

/// Descriptions and dumps in full: what they name, and what they leave out.
@Suite struct DescriptionTests {
  @Test func requestIsShownWithoutItsState() throws {
    let request = try Fixtures.google.request(from: Fixtures.link(state: "secret"))
    #expect("\(request)" == #"App Flip for google-home, scopes ["email", "profile"], to \#(Fixtures.redirect)"#)
    #expect(
      mirroredChildren(of: request) == [
        "clientID: google-home", #"scopes: ["email", "profile"]"#, "redirect: \(Fixtures.redirect)",
      ])
  }

  @Test func responseIsShownWithoutItsQuery() throws {
    let response = try Fixtures.google.request(from: Fixtures.link()).response(code: "secret")
    #expect("\(response)" == "\(Fixtures.redirect)?…")
    #expect(String(reflecting: response) == "\(Fixtures.redirect)?…")
    #expect(mirroredChildren(of: response) == ["url: \(Fixtures.redirect)?…"])
  }

  @Test func redirectIsShownAsItsURL() {
    #expect(
      "\(AppFlipRedirect(host: .sandbox, bundleIdentifier: "a.b"))".hasSuffix("sandbox.googleusercontent.com/a/a.b"))
  }
}
