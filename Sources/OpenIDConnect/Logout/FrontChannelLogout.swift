// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request to end the session of a browser, which the server's page loads in a frame
/// ([OpenID Connect Front-Channel Logout § 2](https://openid.net/specs/openid-connect-frontchannel-1_0.html#RPLogout)).
///
/// Any page can load the URL, so that it proves nothing: end the session of this very browser alone, and only if
/// ``concerns(sessionID:)`` says that it is meant.
public struct FrontChannelLogout: Sendable, Hashable {
  /// The session that ends; `nil` if the server names none.
  public let sessionID: String?

  /// Reads a request.
  ///
  /// - Parameters:
  ///   - url: The whole URL of the request.
  ///   - server: The server whose sessions end.
  ///   - requiresSession: Whether a session must be named, as `frontchannel_logout_session_required` registers it. Without, any page can
  ///     sign the user out.
  /// - Throws: `OAuthError` with code `invalidCallback` or `issuerMismatch`.
  public init(_ url: URL, from server: ServerMetadata, requiresSession: Bool = true) throws(OAuthError) {
    let fields = FormEncoding.form.decode(url.query(percentEncoded: true) ?? "")
    let (issuers, sessions) = (fields.values(for: "iss"), fields.values(for: "sid"))
    // § 3: both or neither.
    guard issuers.count <= 1, issuers.count == sessions.count, sessions.first != "" else {
      throw OAuthError(.invalidCallback, "A request to sign out must have iss and sid once, or neither.")
    }
    guard let issuer = issuers.first else {
      guard !requiresSession else {
        throw OAuthError(.invalidCallback, "The request to sign out does not say which session of \(server.name) ends.")
      }
      sessionID = nil
      return
    }
    guard ConstantTime.equal(issuer, server.issuer) else {
      throw OAuthError(.issuerMismatch, "The request to sign out names another issuer than \(server.name).")
    }
    sessionID = sessions.first
  }

  /// Returns whether the session of this browser is meant.
  ///
  /// - Parameter sessionID: ``IDTokenClaims/sessionID`` of the sign-in.
  public func concerns(sessionID: String?) -> Bool {
    guard let requested = self.sessionID else { return true }
    return sessionID.map { ConstantTime.equal($0, requested) } ?? false
  }
}
