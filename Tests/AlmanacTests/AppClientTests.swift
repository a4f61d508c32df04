// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacTesting
import Foundation
import OAuthCore
import Testing
import TokenStore

@Suite struct AppClientTests {
  @Test(arguments: [
    ("1234.apps.googleusercontent.com", "com.googleusercontent.apps.1234:/oauth2redirect"),
    ("az-09.apps.googleusercontent.com", "com.googleusercontent.apps.az-09:/oauth2redirect"),
    ("987-a1b2c3.apps.googleusercontent.com", "com.googleusercontent.apps.987-a1b2c3:/oauth2redirect"),
  ])
  func schemeOfAnAppIsTheClientIdentifierReversed(_ clientID: String, _ redirectURI: String) throws {
    #expect(try GoogleAccount.redirectURI(iOSClientID: clientID).absoluteString == redirectURI)
  }

  @Test(arguments: [
    ("", "empty"), ("1234", "cut short"), (".apps.googleusercontent.com", "no name"),
    ("com.googleusercontent.apps.1234", "reversed already"), ("1234.apps.googleusercontent.com ", "a space too many"),
    ("12/34.apps.googleusercontent.com", "a slash"), ("12:34.apps.googleusercontent.com", "a colon"),
    ("1.2.apps.googleusercontent.com", "two labels"), ("1234.APPS.googleusercontent.com", "case"),
    ("1234.apps.googleusercontent.com.example.org", "another domain"),
  ])
  func identifierThatIsNotGooglesHasNoScheme(_ clientID: String, _ reason: String) throws {
    let error = try #require(throws: OAuthError.self, "\(reason)") {
      try GoogleAccount.redirectURI(iOSClientID: clientID)
    }
    #expect(error.code == .invalidConfiguration)
    #expect(
      error.message
        == "The client identifier must end in .apps.googleusercontent.com. Copy the one of the iOS client from the Google Cloud console."
    )
  }

  @Test("A label has lower-case letters, digits and hyphens", arguments: Array("`{/:,.@AZ_ é"))
  func characterBesideThoseOfALabelIsRefused(_ character: Character) {
    #expect(throws: OAuthError.self) {
      try GoogleAccount.redirectURI(iOSClientID: "1\(character)2.apps.googleusercontent.com")
    }
  }

  @Test func accountReturnsToItsScheme() async throws {
    let google = try GoogleAccount(
      clientID: "1234.apps.googleusercontent.com", scopes: [.openID], transport: StubTransport(),
      storage: InMemoryTokenStorage(), userAgent: nil)
    let redirectURI = try GoogleAccount.redirectURI(iOSClientID: "1234.apps.googleusercontent.com")
    let pending = try await google.oauthAccount.beginSignIn(redirectURI: redirectURI)
    #expect(
      pending.authorizationURL.absoluteString.contains(
        "redirect_uri=com.googleusercontent.apps.1234%3A%2Foauth2redirect"))
    let callback = try #require(URL(string: "\(redirectURI)?code=c&state=\(pending.state.reveal())"))
    #expect(pending.matches(callback))
  }
}
