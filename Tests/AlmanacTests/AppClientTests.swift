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
    ("1.2.apps.googleusercontent.com", "two labels"), ("1A2.apps.googleusercontent.com", "a capital"),
    ("1_2.apps.googleusercontent.com", "an underscore"),
    ("1é2.apps.googleusercontent.com", "a letter that is not ASCII"),
    ("1`2.apps.googleusercontent.com", "before the letters"), ("1{2.apps.googleusercontent.com", "after the letters"),
    ("1234.APPS.googleusercontent.com", "case"),
    ("1234.apps.googleusercontent.com.example.org", "another domain"),
  ])
  func identifierThatIsNotGooglesHasNoScheme(_ clientID: String, _ reason: String) throws {
    let error = try #require(throws: OAuthError.self, "\(reason)") {
      try GoogleAccount.redirectURI(iOSClientID: clientID)
    }
    #expect(error.code == .invalidConfiguration)
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

  @Test func outOfBandRedirectIsRefused() async throws {
    let google = try GoogleAccount(
      clientID: "client", scopes: [.openID], transport: StubTransport(), storage: InMemoryTokenStorage(), userAgent: nil
    )
    let url = URL(literal: "urn:ietf:wg:oauth:2.0:oob")
    let error = await #expect(throws: OAuthError.self) { try await google.oauthAccount.beginSignIn(redirectURI: url) }
    #expect(error?.code == .invalidConfiguration)
  }
}
