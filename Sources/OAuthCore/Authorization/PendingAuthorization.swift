// SPDX-License-Identifier: Apache-2.0

public import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// All that has to be remembered between sending the user to the server and their return, in one value.
///
/// It is made by ``OAuthClient/beginAuthorization(scopes:redirectURI:prompt:loginHint:parameters:lifetime:)`` and handed back, together with
/// the whole callback URL, to ``OAuthClient/completeAuthorization(_:callback:)``. It holds secrets: keep it in memory, or
/// in a session that only its user can reach.
public struct PendingAuthorization: Sendable, Hashable {
  /// The URL to show the user.
  public let authorizationURL: URL
  /// Where the server sends the user back to.
  public let redirectURI: URL
  /// The issuer that was asked.
  public let issuer: String
  /// The scopes that were requested.
  public let scopes: [String]
  /// The one-time value that the callback must carry.
  public let state: Secret
  /// The one-time value that the ID token must carry; `nil` unless `openid` was requested.
  public let nonce: Secret?
  /// The verifier that goes with the code.
  public let pkce: PKCE
  /// How the user must have authenticated, which is checked in the ID token.
  public let authentication: AuthenticationRequirement
  /// The services that the access token is for.
  public let resources: [URL]
  /// The key that the tokens will be bound to; `nil` if they will not.
  public let proofKey: ProofKey?
  /// How long the user may take, from the moment the authorization was begun.
  public let lifetime: Duration
  /// When the authorization ends unanswered, by the clock of the client that began it.
  public let deadline: Timestamp
}

extension PendingAuthorization {
  /// Whether `url` is the response to this authorization: the redirect URI with this `state`, once.
  ///
  /// A receiver asks this before it uses anything in a callback and ends its wait: everything else that arrives, be it a
  /// forged error or a browser's prefetch, is refused and the wait goes on.
  public func isAnswered(by url: URL) -> Bool {
    (try? AuthorizationCallback(url, for: self)) != nil
  }
}

extension PendingAuthorization: CustomStringConvertible, CustomReflectable {
  /// The issuer, and nothing that is secret.
  public var description: String { "authorization pending at \(issuer)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "scopes": scopes]) }
}
