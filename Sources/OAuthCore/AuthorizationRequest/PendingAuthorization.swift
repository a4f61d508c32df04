// SPDX-License-Identifier: Apache-2.0

public import OAuthScope
public import PlatformFoundation
import Support
import Synchronization
public import Timekeeping
public import TokenStore

/// An authorization request without a response yet, with all values for its completion.
///
/// ``OAuthClient/beginAuthorization(scopes:redirectURI:prompt:loginHint:parameters:lifetime:)`` returns it. Pass it to
/// ``OAuthClient/completeAuthorization(_:callback:)`` together with the complete callback URL. It contains secrets:
/// keep it in memory, or in a session only its user can access.
public struct PendingAuthorization: Sendable, Hashable {
  /// The URL to show the user.
  public let authorizationURL: URL
  /// The redirect URI.
  public let redirectURI: URL
  /// The issuer the request is for.
  public let issuer: String
  /// The requested scopes.
  public let scopes: [Scope]
  /// The one-time value required in the callback.
  public let state: Secret
  /// The one-time value required in the ID token, or `nil` if `openid` was not requested.
  public let nonce: Secret?
  /// The code verifier, which is sent with the code.
  public let pkce: PKCE
  /// The requirements for the user's authentication, which are checked in the ID token.
  public let authentication: AuthenticationRequirement
  /// The resources the access token is for.
  public let resources: [URL]
  /// The key for binding the tokens, or `nil` for unbound tokens.
  public let proofKey: ProofKey?
  /// The time for the user to complete the sign-in, from its beginning.
  public let lifetime: Duration
  /// The time when the authorization expires, by the clock of the client that began it.
  public let deadline: Timestamp
}

extension PendingAuthorization {
  /// Returns whether `url` is the response to this authorization: the redirect URI with this `state`, once.
  ///
  /// A receiver calls this method before it uses anything in a callback. It rejects every other request, including forged errors and a
  /// browser's prefetch, and continues to wait.
  public func matches(_ url: URL) -> Bool {
    (try? CallbackParameters(url, for: self)) != nil
  }
}

extension PendingAuthorization: CustomStringConvertible, CustomReflectable {
  /// The issuer, without any secret.
  public var description: String { "authorization pending at \(issuer)" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "scopes": scopes]) }
}

extension PendingAuthorization: Codable {
  private enum CodingKeys: String, CodingKey {
    case authorizationURL, redirectURI, issuer, scopes, state, nonce, verifier, authentication, resources, proofKey
    case lifetime, deadline
  }

  /// Encodes the value, including its secrets, for a session that outlives the process.
  ///
  /// Store it where only its user can access it.
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

  /// Decodes a value written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      authorizationURL: try container.decode(URL.self, forKey: .authorizationURL),
      redirectURI: try container.decode(URL.self, forKey: .redirectURI),
      issuer: try container.decode(String.self, forKey: .issuer),
      scopes: try container.decode([Scope].self, forKey: .scopes),
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

/// The states of completed authorizations, for detecting reuse.
///
/// Each state is kept until its authorization's deadline. After that, the deadline itself prevents a second use.
package final class CompletedSignIns: Sendable {
  private let deadlines = Mutex(DeadlineQueue<String, Timestamp>())

  package init() {}

  /// The number of stored states.
  package var count: Int { deadlines.withLock(\.count) }

  /// Removes a state whose code was not sent.
  func remove(_ state: String) { deadlines.withLock { $0[state] = nil } }

  /// Returns whether `state` is completed for the first time.
  ///
  /// - Complexity: O(log *n*) amortised, where *n* is the number of stored states.
  package func insert(_ state: String, until deadline: Timestamp, now: Timestamp) -> Bool {
    deadlines.withLock { deadlines in
      while let (expired, deadline) = deadlines.earliest(), deadline < now { deadlines[expired] = nil }
      guard deadlines[state] == nil else { return false }
      deadlines[state] = deadline
      return true
    }
  }
}
