// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import OAuthCore
import Testing

@Suite struct AppClientTests {
  @Test(arguments: [
    ("1234.apps.googleusercontent.com", "com.googleusercontent.apps.1234:/oauth2redirect"),
    ("az-09.apps.googleusercontent.com", "com.googleusercontent.apps.az-09:/oauth2redirect"),
  ])
  func schemeOfAnAppIsTheClientIdentifierReversed(_ clientID: String, _ redirectURI: String) throws {
    #expect(try GoogleAccount.redirectURI(iOSClientID: clientID).absoluteString == redirectURI)
  }

  @Test(arguments: [
    ("", "empty"), ("1234", "cut short"), (".apps.googleusercontent.com", "no name"),
    ("com.googleusercontent.apps.1234", "reversed already"), ("1234.apps.googleusercontent.com ", "a space too many"),
    ("12/34.apps.googleusercontent.com", "a slash"),
    ("1.2.apps.googleusercontent.com", "two labels"), ("1A2.apps.googleusercontent.com", "a capital"),
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
}
