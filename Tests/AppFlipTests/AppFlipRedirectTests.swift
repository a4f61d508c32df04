// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Testing

@Suite struct AppFlipRedirectTests {
  @Test func googlesAddressesAreTheTwelveOfTheDocument() {
    #expect(
      AppFlipRedirect.google.map(\.uri).sorted() == [
        "https://oauth-redirect-sandbox.googleusercontent.com/a/com.google.Chromecast",
        "https://oauth-redirect-sandbox.googleusercontent.com/a/com.google.Chromecast.dev",
        "https://oauth-redirect-sandbox.googleusercontent.com/a/com.google.Chromecast.enterprise",
        "https://oauth-redirect-sandbox.googleusercontent.com/a/com.google.OPA",
        "https://oauth-redirect-sandbox.googleusercontent.com/a/com.google.OPA.dev",
        "https://oauth-redirect-sandbox.googleusercontent.com/a/com.google.OPA.enterprise",
        "https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast",
        "https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast.dev",
        "https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast.enterprise",
        "https://oauth-redirect.googleusercontent.com/a/com.google.OPA",
        "https://oauth-redirect.googleusercontent.com/a/com.google.OPA.dev",
        "https://oauth-redirect.googleusercontent.com/a/com.google.OPA.enterprise",
      ])
  }

  @Test func addressIsReadBack() throws {
    for redirect in AppFlipRedirect.google { #expect(AppFlipRedirect(redirect.uri) == redirect) }
  }

  @Test(arguments: [
    ("http://oauth-redirect.googleusercontent.com/a/com.google.OPA", "another scheme"),
    ("HTTPS://oauth-redirect.googleusercontent.com/a/com.google.OPA", "another case"),
    ("https://oauth-redirect.googleusercontent.com:443/a/com.google.OPA", "a port, though the usual one"),
    ("https://oauth-redirect.googleusercontent.com./a/com.google.OPA", "a full stop after the host"),
    ("https://user@oauth-redirect.googleusercontent.com/a/com.google.OPA", "a user"),
    ("https://oauth-redirect.googleusercontent.com.attacker.example/a/com.google.OPA", "a longer host"),
    ("https://oauth-redirect.googleusercontent.com@attacker.example/a/com.google.OPA", "the host as a user"),
    ("https://oauth-redirect.googleusercontent.com\\@attacker.example/a/com.google.OPA", "a backslash"),
    ("https://attacker.example/https://oauth-redirect.googleusercontent.com/a/com.google.OPA", "the host in the path"),
    ("https://oauth-redirect.googleusercontent.com/r/project", "the URL of linking in the browser"),
    ("https://oauth-redirect.googleusercontent.com/A/com.google.OPA", "another path"),
    ("https://oauth-redirect.googleusercontent.com/a", "no app"),
    ("https://oauth-redirect.googleusercontent.com/a/", "an empty app"),
    ("https://oauth-redirect.googleusercontent.com/a/com.google.OPA/", "a slash at the end"),
    ("https://oauth-redirect.googleusercontent.com/a/../a/com.google.OPA", "a path that goes up"),
    ("https://oauth-redirect.googleusercontent.com/a/com.google.OPA?code=x", "a query"),
    ("https://oauth-redirect.googleusercontent.com/a/com.google.OPA#x", "a fragment"),
    ("https://oauth-redirect.googleusercontent.com/a/com%2Egoogle.OPA", "escaped"),
    ("https://oauth-redirect.googleusercontent.com/a/com.google.OPA ", "a space"),
    (" https://oauth-redirect.googleusercontent.com/a/com.google.OPA", "a space before"),
    ("https://oauth-redirect.googleusercontent.com/a/com.google.OPA\u{0}", "a null"),
    ("https://oauth-redirect.googleusercontent.com/a/com.google.OPÀ", "beyond ASCII"),
    ("", "nothing"),
  ])
  func otherAddressIsNone(_ address: String, _ reason: String) {
    #expect(AppFlipRedirect(address) == nil, "\(reason)")
  }

  @Test func bundleIdentifierCannotLeaveItsPlace() {
    let redirect = AppFlipRedirect(bundleIdentifier: "x/../y?code=#")
    #expect(redirect.uri == "https://oauth-redirect.googleusercontent.com/a/x%2F..%2Fy%3Fcode%3D%23")
  }
}
