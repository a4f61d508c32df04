// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import PlatformFoundation
import Support

/// A front-channel logout request, which the server's page loads in a frame
/// ([OpenID Connect Front-Channel Logout § 2](https://openid.net/specs/openid-connect-frontchannel-1_0.html#RPLogout)).
///
/// Any page can load the URL, so the request is not authenticated. End only the session of this browser, and only if
/// ``concerns(sessionID:)`` returns `true`.
public struct FrontChannelLogout: Sendable, Hashable {
  /// The identifier of the session to end, or `nil` if the request names none.
  public let sessionID: String?

  /// Parses a request.
  ///
  /// - Parameters:
  ///   - url: The complete URL of the request.
  ///   - server: The server that the request must come from.
  ///   - requiresSession: Whether the request must name a session, according to the registered `frontchannel_logout_session_required`.
  ///     If `false`, any page can sign the user out. Defaults to `true`.
  /// - Throws: `OAuthError` with code `invalidCallback` or `issuerMismatch`.
  public init(_ url: URL, from server: ServerMetadata, requiresSession: Bool = true) throws(OAuthError) {
    let fields = FormEncoding.form.decode(url.query(percentEncoded: true) ?? "")
    let (issuers, sessions) = (fields.values(for: "iss"), fields.values(for: "sid"))
    // § 3: both or neither.
    guard issuers.count <= 1, issuers.count == sessions.count, sessions.first != "" else {
      throw OAuthError(.invalidCallback, "A logout request must have iss and sid once, or neither.")
    }
    guard let issuer = issuers.first else {
      guard !requiresSession else {
        throw OAuthError(.invalidCallback, "The logout request names no session of \(server.name).")
      }
      sessionID = nil
      return
    }
    guard ConstantTime.equal(issuer, server.issuer) else {
      throw OAuthError(.issuerMismatch, "The logout request names another issuer than \(server.name).")
    }
    sessionID = sessions.first
  }

  /// Returns whether the request concerns this browser's session.
  ///
  /// - Parameter sessionID: ``IDTokenClaims/sessionID`` of the sign-in.
  public func concerns(sessionID: String?) -> Bool {
    guard let requested = self.sessionID else { return true }
    return sessionID.map { ConstantTime.equal($0, requested) } ?? false
  }
}
