// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
package import PlatformFoundation
package import TokenStore

/// The parameters of a redirect to this client, after its URL and its `state` were verified.
package struct RedirectResponse {
  /// Every parameter, each once.
  package let parameters: [String: String]

  /// Parses and verifies a response.
  ///
  /// - Parameters:
  ///   - url: The complete URL.
  ///   - redirectURI: The redirect URI of the request.
  ///   - state: The `state` of the request.
  ///   - purpose: The kind of request for messages, such as "sign-in".
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidCallback`` or ``OAuthError/Code/stateMismatch``.
  package init(_ url: URL, to redirectURI: URL, state: Secret, purpose: String) throws(OAuthError) {
    guard Self.target(of: url) == Self.target(of: redirectURI) else {
      throw OAuthError(
        .invalidCallback,
        "The callback is not at the redirect URI, \(OAuthError.printable(redirectURI.absoluteString, limit: 200)). Pass the callback URL unchanged."
      )
    }
    try Self.checkFragment(of: url)
    var parameters: [String: String] = [:]
    for field in FormEncoding.form.decode(url.query(percentEncoded: true) ?? "") {
      // RFC 6749 § 3.1: parameters must not be included more than once.
      guard parameters.updateValue(field.value, forKey: field.name) == nil else {
        throw OAuthError(
          .invalidCallback,
          "The callback repeats the parameter \"\(OAuthError.printable(field.name, limit: 32))\", so it is not an authorization response."
        )
      }
    }
    guard let claimed = parameters["state"], Secret(claimed) == state else {
      throw OAuthError(
        .stateMismatch, "The callback does not belong to this \(purpose). Start the \(purpose) again.")
    }
    self.parameters = parameters
  }

  /// Checks that `url` is usable as a redirect URI: https, a private-use scheme, or http to loopback, without a fragment.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  package static func checkRedirectURI(_ url: URL) throws(OAuthError) {
    guard let scheme = url.scheme?.lowercased(), url.fragment() == nil,
      scheme != "http" || Origin(url)?.isLoopback == true,
      // Out of band: the code would appear in a page's title, without a `state`.
      scheme != "urn"
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The redirect URI \(OAuthError.printable(url.absoluteString, limit: 200)) must be https, an app's own scheme, or http to loopback, and have no fragment."
      )
    }
  }

  /// Checks that a callback has no parameters in its fragment.
  ///
  /// Some servers add a fragment such as `_` or `_=_` to the redirect URI, because a browser would otherwise keep the
  /// previous page's fragment ([RFC 9700 § 4.1.3](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.1.3)). Such a
  /// fragment is not part of the response. Parameters in a fragment belong to a response mode never requested by this
  /// library.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidCallback``.
  static func checkFragment(of url: URL) throws(OAuthError) {
    let fields = FormEncoding.form.decode(url.fragment(percentEncoded: true) ?? "")
    // RFC 6749 § 3.1: a parameter without a value counts as omitted.
    guard fields.allSatisfy({ $0.value.isEmpty || ($0.name == "_" && $0.value == "_") }) else {
      throw OAuthError(
        .invalidCallback,
        "The callback has parameters in its fragment, but they were requested in the query. Check the response mode in the request's parameters and in the client's registration."
      )
    }
  }

  /// Returns the components that must be identical: scheme, user, host, port and path.
  private static func target(of url: URL) -> [String?] {
    let path = url.path(percentEncoded: true)
    let scheme = url.scheme?.lowercasedASCII
    // RFC 3986 § 6.2.3: an empty path is that of the root, and the default port may be omitted.
    let defaultPort: Int? =
      switch scheme {
      case "http": 80
      case "https": 443
      default: nil
      }
    return [
      scheme, url.user(percentEncoded: true), url.password(percentEncoded: true),
      url.host(percentEncoded: true)?.lowercasedASCII, (url.port ?? defaultPort)?.description,
      path.isEmpty ? "/" : path,
    ]
  }
}
