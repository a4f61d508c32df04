// SPDX-License-Identifier: Apache-2.0

/// The policy of an authorization endpoint for requests with one of Google's App Flip redirect URIs.
///
/// ```swift
/// switch policy.decision(clientID: parameters["client_id"], redirectURI: parameters["redirect_uri"]) {
/// case .accept(let redirect): …                           // check the rest, ask the user, respond there
/// case .invalidRequest(let redirect): …                   // redirect there with error=invalid_request
/// case .notAppFlip: …                                     // check the client's other redirect URIs
/// }
/// ```
/// [RFC 6749 § 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.2.1) forbids redirects to a URL that is not the
/// client's. App Flip requires `invalid_request` even for an unknown client. This is safe because the URL must be one of a
/// fixed set.
public struct AppFlipEndpointPolicy: Sendable, Hashable {
  /// A decision about a request.
  public enum Decision: Sendable, Hashable {
    /// The client is linked, and the redirect URI is the client's.
    case accept(AppFlipRedirect)
    /// The redirect URI is trusted, but the client is missing, not linked, or linked without this URI: redirect there with
    /// `error=invalid_request`.
    case invalidRequest(AppFlipRedirect)
    /// The redirect URI is not a trusted App Flip URI: never redirect there because of this policy.
    case notAppFlip
  }

  /// The linked clients.
  public var registrations: [AppFlipRegistration]

  /// Creates a policy.
  public init(registrations: [AppFlipRegistration]) { self.registrations = registrations }

  /// Decides on a request.
  ///
  /// - Parameters:
  ///   - clientID: The decoded `client_id`, or `nil` if it is missing or repeated.
  ///   - redirectURI: The decoded `redirect_uri`, or `nil` if it is missing or repeated.
  public func decision(clientID: String?, redirectURI: String?) -> Decision {
    guard let redirect = redirectURI.flatMap(redirect),
      AppFlipRedirect.google.contains(redirect) || registrations.contains(where: { $0.redirects.contains(redirect) })
    else { return .notAppFlip }
    guard let clientID,
      registrations.contains(where: { $0.isClient(clientID) && $0.redirects.contains(redirect) })
    else { return .invalidRequest(redirect) }
    return .accept(redirect)
  }

  private func redirect(_ uri: String) -> AppFlipRedirect? {
    AppFlipRedirect(uri) ?? registrations.lazy.compactMap { $0.redirect(uri) }.first
  }
}
