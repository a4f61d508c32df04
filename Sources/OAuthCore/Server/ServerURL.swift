// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport
package import PlatformFoundation

/// A URL in a server's document, with its rule.
///
/// Before this program sends a request to such a URL, opens it or shows it to the user, the URL passes
/// ``check(_:namedBy:orAt:)``. A redirect needs no check: requests to these URLs follow redirects to the same origin only.
package enum ServerURL: String, CaseIterable, Sendable {
  // RFC 8414 § 2 and its extensions.
  case authorizationEndpoint = "authorization_endpoint"
  case tokenEndpoint = "token_endpoint"
  case revocationEndpoint = "revocation_endpoint"
  case userinfoEndpoint = "userinfo_endpoint"
  case jwksURI = "jwks_uri"
  case deviceAuthorizationEndpoint = "device_authorization_endpoint"
  case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
  case introspectionEndpoint = "introspection_endpoint"
  case endSessionEndpoint = "end_session_endpoint"
  case registrationEndpoint = "registration_endpoint"
  case mtlsEndpointAliases = "mtls_endpoint_aliases"
  // RFC 9728 § 2 and § 5.1.
  case authorizationServers = "authorization_servers"
  case resourceMetadata = "resource_metadata"
  // RFC 8628 § 3.2.
  case verificationURI = "verification_uri"
  case verificationURIComplete = "verification_uri_complete"
  // RFC 7592 § 3.
  case registrationClientURI = "registration_client_uri"
  // RFC 7591 § 2 and OpenID Connect Core § 5.1.
  case clientURI = "client_uri"
  case logoURI = "logo_uri"
  case tosURI = "tos_uri"
  case policyURI = "policy_uri"
  case picture

  /// A rule for a URL.
  package enum Rule: Sendable {
    /// https, or http to loopback, at any origin within reach of the naming server's own users: the server's host, the
    /// internet, or the same kind of network as the server's.
    case withinReach
    /// https, or http to loopback, at an origin of the server itself.
    ///
    /// The request contains a token chosen by the server.
    case ownOrigin
    /// A value for the caller, which this program neither requests nor opens.
    case value
  }

  /// The rule for the URL.
  package var rule: Rule {
    switch self {
    case .authorizationEndpoint, .tokenEndpoint, .revocationEndpoint, .userinfoEndpoint, .jwksURI,
      .deviceAuthorizationEndpoint, .pushedAuthorizationRequestEndpoint, .introspectionEndpoint, .endSessionEndpoint,
      .registrationEndpoint, .mtlsEndpointAliases, .authorizationServers, .resourceMetadata, .verificationURI,
      .verificationURIComplete:
      .withinReach
    case .registrationClientURI: .ownOrigin
    case .clientURI, .logoURI, .tosURI, .policyURI, .picture: .value
    }
  }

  /// Checks a URL by its rule.
  ///
  /// The check uses the host's name without resolving it, so it does not detect a public DNS name that resolves to a
  /// private address. Only the connection, or a proxy for all requests, can reject it.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - server: The origin of the server whose document names the URL.
  ///   - others: Further origins of the same server.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the URL is not secure, or with code
  ///   ``OAuthError/Code/invalidResponse`` for another origin, a more private network or a URL of more than
  ///   ``ServerLimits/elementSize`` bytes.
  package func check(_ url: URL, namedBy server: Origin, orAt others: [Origin] = []) throws(OAuthError) {
    if rule == .value { return }
    let shown = OAuthError.printable(url.redactedDescription, limit: 200)
    guard let named = Origin(url), named.isSecure else {
      throw OAuthError(
        .invalidConfiguration,
        "The \(rawValue) of \(server), \(shown), must be an https URL. Plain http is allowed for loopback only.")
    }
    guard url.absoluteString.utf8.count <= ServerLimits.elementSize else {
      throw OAuthError(
        .invalidResponse, "The \(rawValue) of \(server) has more than \(ServerLimits.elementSize) bytes.")
    }
    if rule == .ownOrigin {
      guard named == server || others.contains(named) else {
        throw OAuthError(
          .invalidResponse,
          "The \(rawValue) of \(server), \(shown), is at another origin. No request was sent. Report the error to the server's operator."
        )
      }
      return
    }
    guard named.host != server.host, named.reach != .everywhere, named.reach != server.reach || server.reach == .unknown
    else { return }
    let place =
      switch named.reach {
      case .machine: "on this machine"
      case .link, .network: "in a private network"
      case .everywhere, .unknown: "at a host in an unusual spelling or address range"
      }
    throw OAuthError(
      .invalidResponse,
      "The \(rawValue) of \(server), \(shown), is \(place). Do not sign in there. If you trust the URL, name it in the program's configuration."
    )
  }

  /// Returns whether a URL satisfies its rule.
  func allows(_ url: URL, namedBy server: Origin) -> Bool {
    do throws(OAuthError) {
      try check(url, namedBy: server)
      return true
    } catch {
      return false
    }
  }
}
