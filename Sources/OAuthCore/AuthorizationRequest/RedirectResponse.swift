// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
package import TokenStore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The parameters of a URL that a server has sent the user's browser to, once it is known to be the redirect URI with the `state` that
/// was sent.
package struct RedirectResponse {
  /// Every parameter, each once.
  package let parameters: [String: String]

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - url: The whole URL.
  ///   - redirectURI: The redirect URI of the request.
  ///   - state: The `state` of the request.
  ///   - purpose: What was requested, for messages, such as "sign-in".
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidCallback`` or ``OAuthError/Code/stateMismatch``.
  package init(_ url: URL, to redirectURI: URL, state: Secret, purpose: String) throws(OAuthError) {
    guard Self.address(of: url) == Self.address(of: redirectURI), url.fragment() == nil else {
      throw OAuthError(
        .invalidCallback,
        "The callback is not at the redirect URI, \(OAuthError.printable(redirectURI.absoluteString, limit: 200)). Hand back the URL unchanged."
      )
    }
    var parameters: [String: String] = [:]
    for field in FormEncoding.form.decode(url.query(percentEncoded: true) ?? "") {
      // RFC 6749 § 3.1: parameters must not be included more than once.
      guard parameters.updateValue(field.value, forKey: field.name) == nil else {
        throw OAuthError(
          .invalidCallback,
          "The callback repeats the parameter \"\(OAuthError.printable(field.name, limit: 32))\"; it was not made by an authorization server."
        )
      }
    }
    guard let claimed = parameters["state"], Secret(claimed) == state else {
      throw OAuthError(
        .stateMismatch, "The callback does not belong to this \(purpose). Start the \(purpose) again.")
    }
    self.parameters = parameters
  }

  /// Checks that a server may send the user's browser to `url`.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  package static func checkRedirectURI(_ url: URL) throws(OAuthError) {
    guard let scheme = url.scheme?.lowercased(), url.fragment() == nil,
      scheme != "http" || Origin(url)?.isLoopback == true,
      // Out of band: the code would stand in a page's title, where nothing says whose it is.
      scheme != "urn"
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The redirect URI \(OAuthError.printable(url.absoluteString, limit: 200)) must be https, an app's own scheme, or http to loopback, and have no fragment."
      )
    }
  }

  /// Everything that must be identical: scheme, host, port and path.
  private static func address(of url: URL) -> [String?] {
    let path = url.path(percentEncoded: true)
    return [
      url.scheme?.lowercasedASCII, url.host(percentEncoded: true)?.lowercasedASCII, url.port?.description,
      path.isEmpty ? "/" : path,
    ]
  }
}
