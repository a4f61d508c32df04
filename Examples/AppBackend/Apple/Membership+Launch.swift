// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import OAuthCore
import OAuthUserAgents
import TokenStore

extension Membership {
  /// Creates the app's membership with the system's sign-in page and the keychain.
  static func ofThisApp() throws -> Membership {
    guard let server = URL(string: "https://backend.example"),
      // No other app can claim an https URL of the app's associated domain (entitlement webcredentials:app.example).
      let redirectURI = URL(string: "https://app.example/signed-in")
    else { throw OAuthError(.invalidConfiguration, "The URL of the server or of the app is invalid.") }
    return try Membership(
      server: server, transport: DefaultTransport().retrying(), storage: KeychainTokenStorage(),
      userAgent: WebAuthenticationUserAgent(redirectURI: redirectURI) { .keyWindow })
  }
}
