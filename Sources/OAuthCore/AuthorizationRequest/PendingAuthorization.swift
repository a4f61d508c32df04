// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
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
  public func matches(_ url: URL) -> Bool {
    (try? CallbackParameters(url, for: self)) != nil
  }
}

extension PendingAuthorization: CustomStringConvertible, CustomReflectable {
  /// The issuer, and nothing that is secret.
  public var description: String { "authorization pending at \(issuer)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "scopes": scopes]) }
}

extension PendingAuthorization: Codable {
  private enum CodingKeys: String, CodingKey {
    case authorizationURL, redirectURI, issuer, scopes, state, nonce, verifier, authentication, resources, proofKey
    case lifetime, deadline
  }

  /// Writes the value, secrets included, for a session that outlives the process.
  ///
  /// Keep it where only its user can reach it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(authorizationURL, forKey: .authorizationURL)
    try container.encode(redirectURI, forKey: .redirectURI)
    try container.encode(issuer, forKey: .issuer)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(state.reveal(), forKey: .state)
    try container.encodeIfPresent(nonce?.reveal(), forKey: .nonce)
    try container.encode(pkce.verifier.reveal(), forKey: .verifier)
    try container.encode(authentication, forKey: .authentication)
    try container.encode(resources, forKey: .resources)
    try container.encodeIfPresent(proofKey, forKey: .proofKey)
    try container.encode(lifetime, forKey: .lifetime)
    try container.encode(deadline, forKey: .deadline)
  }

  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      authorizationURL: try container.decode(URL.self, forKey: .authorizationURL),
      redirectURI: try container.decode(URL.self, forKey: .redirectURI),
      issuer: try container.decode(String.self, forKey: .issuer),
      scopes: try container.decode([String].self, forKey: .scopes),
      state: Secret(try container.decode(String.self, forKey: .state)),
      nonce: try container.decodeIfPresent(String.self, forKey: .nonce).map { Secret($0) },
      pkce: PKCE(verifier: Secret(try container.decode(String.self, forKey: .verifier))),
      authentication: try container.decodeIfPresent(AuthenticationRequirement.self, forKey: .authentication) ?? .init(),
      resources: try container.decodeIfPresent([URL].self, forKey: .resources) ?? [],
      proofKey: try container.decodeIfPresent(ProofKey.self, forKey: .proofKey),
      lifetime: try container.decode(Duration.self, forKey: .lifetime),
      deadline: try container.decode(Timestamp.self, forKey: .deadline))
  }
}

/// The states of completed authorizations, each kept until its authorization's deadline has passed: later than that, the deadline
/// itself rules out a second use.
package final class CompletedSignIns: Sendable {
  private let deadlines = Mutex(DeadlineQueue<String, Timestamp>())

  package init() {}

  /// The number of states that are kept.
  package var count: Int { deadlines.withLock(\.count) }

  /// Returns whether `state` is completed for the first time.
  ///
  /// - Complexity: O(log *n*) amortised, where *n* is the number of states kept.
  package func insert(_ state: String, until deadline: Timestamp, now: Timestamp) -> Bool {
    deadlines.withLock { deadlines in
      while let (expired, deadline) = deadlines.earliest(), deadline < now { deadlines[expired] = nil }
      guard deadlines[state] == nil else { return false }
      deadlines[state] = deadline
      return true
    }
  }
}
