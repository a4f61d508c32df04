// SPDX-License-Identifier: Apache-2.0

import OAuthCore
package import PlatformFoundation

/// The way in which an app receives its callback ([RFC 8252 § 7](https://www.rfc-editor.org/rfc/rfc8252.html#section-7)).
package enum ClaimedRedirect: Sendable, Hashable {
  /// A scheme claimed by the app (§ 7.1).
  case customScheme(String)
  /// An https URL of a domain associated with the app (§ 7.2).
  case https(host: String, path: String)

  /// Determines the kind from the redirect URI.
  ///
  /// - Throws: `OAuthError` with code `invalidConfiguration` for a URL that an app cannot claim.
  package init(_ redirectURI: URL) throws {
    guard let scheme = redirectURI.scheme?.lowercased(), scheme != "http", redirectURI.fragment() == nil else {
      throw Self.unclaimable("Its scheme must be the app's own or https, and it must have no fragment.")
    }
    guard scheme == "https" else {
      self = .customScheme(scheme)
      return
    }
    guard let host = redirectURI.host(percentEncoded: false), !host.isEmpty, redirectURI.port ?? 443 == 443 else {
      throw Self.unclaimable("An https URL needs a host that is associated with the app, and no other port than 443.")
    }
    let path = redirectURI.path(percentEncoded: false)
    self = .https(host: host, path: path.isEmpty ? "/" : path)
  }

  private static func unclaimable(_ reason: String) -> OAuthError {
    OAuthError(.invalidConfiguration, "An app cannot receive callbacks at this redirect URI. \(reason)")
  }
}
