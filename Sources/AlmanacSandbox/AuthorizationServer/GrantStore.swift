// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import OAuthScope
import Support
import Timekeeping

/// Every grant with its codes and tokens.
///
/// The store keeps only digests of tokens and codes.
struct GrantStore {
  /// The authorization of one client, with a family for all its tokens.
  struct Grant: Sendable {
    let family: Int
    let clientID: String
    /// The e-mail address of the user, or `nil` for a grant without one.
    var user: String?
    var scopes: [Scope]
    /// The nonce that binds the ID token to the sign-in.
    ///
    /// ID tokens from a refresh have none (OpenID Connect Core § 12.2).
    var nonce: String?
    let authenticatedAt: Timestamp
    /// The session in which the user granted access, or `nil` if there was none.
    var session: UserSession?
    /// The services the token is for, or empty for all.
    var resources: [String] = []
    /// The authorization details granted by the user.
    var details: [JSONValue] = []
    /// The thumbprint of the key for bound tokens (RFC 9449 § 6.1) or for redeeming a code, or `nil` for none.
    var keyThumbprint: String?
    /// Whether a refresh token was requested.
    var isOffline = true
  }

  /// Newly issued tokens.
  struct Issued {
    let accessToken: String
    let refreshToken: String?
    var grant: Grant
    /// Further members of the response.
    var members: [String: JSONValue] = [:]
  }

  /// The reasons to refuse a token request.
  enum Refusal: Error {
    case invalid(clientID: String?)
    case replayed(clientID: String)
    case scopeTooWide
  }

  private struct Code {
    let grant: Grant
    let redirectURI: String
    let challenge: String?
    let expires: Timestamp
    var isUsed = false
  }

  private struct Access {
    var grant: Grant
    let expires: Timestamp
  }

  private struct Refresh {
    let grant: Grant
    let expires: Timestamp?
    var isUsed = false
  }

  /// The codes and tokens of one grant, which are removed together.
  private struct Family {
    /// Codes and tokens that are still valid.
    ///
    /// The grant ends when none is left.
    var usable: Set<SecretDigest>
    /// Used codes and tokens, for detecting reuse.
    var used: Set<SecretDigest> = []
  }

  private var codes = ExpiringTable<Code>()
  private var accessTokens = ExpiringTable<Access>()
  private var refreshTokens = ExpiringTable<Refresh>()
  /// The codes and tokens of each active grant.
  private var families: [Int: Family] = [:]
  private var lastFamily = 0

  /// The retention of used refresh tokens without an expiry, for detecting reuse.
  private static let replayWindow = Duration.seconds(30 * 86_400)
}

extension GrantStore {
  mutating func issueCode(
    for request: AuthorizationRequest, in session: UserSession, granting scopes: [Scope], now: Timestamp,
    lifetime: Duration
  ) -> String {
    removeExpired(now)
    lastFamily += 1
    let code = randomToken()
    let digest = SecretDigest(of: code)
    codes.insert(
      Code(
        grant: Grant(
          family: lastFamily, clientID: request.client.id, user: session.user.email, scopes: scopes,
          nonce: request.nonce, authenticatedAt: session.authenticatedAt, session: session,
          resources: request.resources, details: request.details, keyThumbprint: request.keyThumbprint,
          isOffline: request.isOffline),
        redirectURI: request.redirectURI, challenge: request.codeChallenge, expires: now + lifetime),
      for: digest, until: now + lifetime)
    families[lastFamily] = Family(usable: [digest])
    return code
  }

  /// Redeems a code ([RFC 6749 § 4.1.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.3)).
  ///
  /// Any attempt by the code's client uses up the code, including a failed one.
  mutating func redeem(
    code: String, clientID: String, redirectURI: String, verifier: String?, keyThumbprint: String?, now: Timestamp,
    configuration: Sandbox.Configuration
  ) throws(Refusal) -> Issued {
    let digest = SecretDigest(of: code)
    guard let found = codes[digest], found.grant.clientID == clientID else { throw .invalid(clientID: nil) }
    guard !found.isUsed else {
      // RFC 6749 § 4.1.2: reuse revokes the tokens issued for the code.
      end(found.grant.family)
      throw .replayed(clientID: clientID)
    }
    guard now < found.expires, found.redirectURI == redirectURI, Self.proves(verifier, found.challenge),
      // RFC 9449 § 10.
      found.grant.keyThumbprint == nil || found.grant.keyThumbprint == keyThumbprint
    else {
      end(found.grant.family)
      throw .invalid(clientID: clientID)
    }
    var grant = found.grant
    grant.keyThumbprint = keyThumbprint
    let issued = issue(
      grant, scopes: found.grant.scopes,
      withRefreshToken: configuration.issuesRefreshTokens && found.grant.isOffline, now, configuration)
    var used = found
    used.isUsed = true
    // A grant has one code, which is stored as long as the grant.
    codes.insert(used, for: digest, until: nil)
    markUsed(digest, of: found.grant.family)
    return issued
  }

  /// Compares a verifier with the challenge
  /// ([RFC 7636 § 4.6](https://www.rfc-editor.org/rfc/rfc7636.html#section-4.6)).
  ///
  /// A verifier without a challenge fails, because an attacker can remove the challenge
  /// ([RFC 9700 § 2.1.1](https://www.rfc-editor.org/rfc/rfc9700.html#section-2.1.1)).
  private static func proves(_ verifier: String?, _ challenge: String?) -> Bool {
    switch (verifier, challenge) {
    case (nil, nil): true
    case (let verifier?, let challenge?):
      ConstantTime.equal(Base64URL.encode(MessageDigest.sha256(verifier)), challenge)
    default: false
    }
  }

  /// Redeems a refresh token ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
  ///
  /// - Parameter scopes: The scopes of the new access token, or `nil` for all granted scopes.
  mutating func refresh(
    token: String, clientID: String, scopes: [Scope]?, keyThumbprint: String?, now: Timestamp,
    configuration: Sandbox.Configuration
  ) throws(Refusal) -> Issued {
    let digest = SecretDigest(of: token)
    guard let found = refreshTokens[digest], found.grant.clientID == clientID else { throw .invalid(clientID: nil) }
    guard !found.isUsed else {
      // RFC 9700 § 4.14.2: the server cannot determine which of the two requests is the attacker's.
      end(found.grant.family)
      throw .replayed(clientID: clientID)
    }
    if let expires = found.expires, expires <= now { throw .invalid(clientID: clientID) }
    // RFC 9449 § 5: the refresh token is bound to the key.
    guard found.grant.keyThumbprint == nil || found.grant.keyThumbprint == keyThumbprint else {
      throw .invalid(clientID: clientID)
    }
    var grant = found.grant
    grant.keyThumbprint = keyThumbprint
    let scopes = scopes ?? found.grant.scopes
    guard Set(scopes).isSubset(of: found.grant.scopes) else { throw .scopeTooWide }
    let issued = issue(
      grant, scopes: scopes, withRefreshToken: configuration.rotatesRefreshTokens, now, configuration)
    if configuration.rotatesRefreshTokens {
      var used = found
      used.isUsed = true
      refreshTokens.insert(used, for: digest, until: found.expires ?? now + Self.replayWindow)
      markUsed(digest, of: found.grant.family)
    }
    return issued
  }

  /// Issues tokens for a grant without an authorization code.
  mutating func issue(
    clientID: String, user: String? = nil, scopes: [Scope], withRefreshToken: Bool, keyThumbprint: String?,
    now: Timestamp,
    configuration: Sandbox.Configuration
  ) -> Issued {
    lastFamily += 1
    families[lastFamily] = Family(usable: [])
    var grant = Grant(
      family: lastFamily, clientID: clientID, user: user, scopes: scopes, nonce: nil, authenticatedAt: now)
    grant.keyThumbprint = keyThumbprint
    return issue(grant, scopes: scopes, withRefreshToken: withRefreshToken, now, configuration)
  }

  private mutating func issue(
    _ grant: Grant, scopes: [Scope], withRefreshToken: Bool, _ now: Timestamp, _ configuration: Sandbox.Configuration
  ) -> Issued {
    removeExpired(now)
    var narrowed = grant
    narrowed.scopes = scopes
    let accessToken = randomToken()
    let expires = now + configuration.accessTokenLifetime
    let digest = SecretDigest(of: accessToken)
    accessTokens.insert(Access(grant: narrowed, expires: expires), for: digest, until: expires)
    families[grant.family]?.usable.insert(digest)
    var refreshToken: String?
    if withRefreshToken {
      let token = randomToken()
      // RFC 6749 § 6: the new refresh token keeps the scope of the old one, even if the access token's is narrower.
      var renewable = grant
      renewable.nonce = nil
      let expires = configuration.refreshTokenLifetime.map { now + $0 }
      let digest = SecretDigest(of: token)
      refreshTokens.insert(Refresh(grant: renewable, expires: expires), for: digest, until: expires)
      families[grant.family]?.usable.insert(digest)
      refreshToken = token
    }
    return Issued(accessToken: accessToken, refreshToken: refreshToken, grant: narrowed)
  }

  /// Restricts an access token to some of the resources of its grant
  /// ([RFC 8707 § 2.2](https://www.rfc-editor.org/rfc/rfc8707.html#section-2.2)).
  mutating func restrict(_ accessToken: String, to resources: [String]) {
    accessTokens[SecretDigest(of: accessToken)]?.grant.resources = resources
  }

  /// Returns the grant of a valid access token.
  func grant(forAccessToken token: String, now: Timestamp) -> Grant? {
    guard let found = accessTokens[SecretDigest(of: token)], found.expires > now else { return nil }
    return found.grant
  }

  /// Returns the grant, expiry and kind of a valid token.
  func introspect(_ token: String, now: Timestamp) -> (grant: Grant, expires: Timestamp?, isRefreshToken: Bool)? {
    let digest = SecretDigest(of: token)
    if let found = accessTokens[digest], found.expires > now { return (found.grant, found.expires, false) }
    guard let found = refreshTokens[digest], !found.isUsed, found.expires.map({ $0 > now }) ?? true else { return nil }
    return (found.grant, found.expires, true)
  }

  /// Ends every grant that satisfies a condition.
  mutating func endAll(where isEnded: (Grant) -> Bool) {
    var ended: Set<Int> = []
    codes.forEach { if isEnded($1.grant) { ended.insert($1.grant.family) } }
    accessTokens.forEach { if isEnded($1.grant) { ended.insert($1.grant.family) } }
    refreshTokens.forEach { if isEnded($1.grant) { ended.insert($1.grant.family) } }
    for family in ended { end(family) }
  }

  /// Returns the identifier of the client to which an access or refresh token was issued.
  func clientID(ofToken token: String) -> String? {
    let digest = SecretDigest(of: token)
    return (refreshTokens[digest]?.grant ?? accessTokens[digest]?.grant)?.clientID
  }

  /// Revokes a token of a client ([RFC 7009 § 2.1](https://www.rfc-editor.org/rfc/rfc7009.html#section-2.1)).
  ///
  /// Revoking a refresh token ends its grant.
  ///
  /// - Returns: Whether the token existed.
  mutating func revoke(_ token: String, clientID: String) -> Bool {
    let digest = SecretDigest(of: token)
    if let found = refreshTokens[digest], found.grant.clientID == clientID {
      return end(found.grant.family)
    }
    guard let found = accessTokens[digest], found.grant.clientID == clientID else { return false }
    accessTokens[digest] = nil
    forget(digest, of: found.grant.family)
    return true
  }

  mutating func invalidateAccessTokens() {
    let removed = accessTokens
    accessTokens.removeAll()
    removed.forEach { forget($0, of: $1.grant.family) }
  }

  mutating func endAll() {
    codes.removeAll()
    accessTokens.removeAll()
    refreshTokens.removeAll()
    families.removeAll()
  }
}

extension GrantStore {
  /// The number of stored codes and tokens.
  var secretCount: Int { codes.count + accessTokens.count + refreshTokens.count }

  /// The number of active grants.
  var grantCount: Int { families.count }

  /// Ends a grant, and removes its codes and tokens.
  ///
  /// - Returns: Whether the grant was active.
  @discardableResult
  private mutating func end(_ family: Int) -> Bool {
    guard let found = families.removeValue(forKey: family) else { return false }
    for digest in found.usable.union(found.used) {
      codes[digest] = nil
      accessTokens[digest] = nil
      refreshTokens[digest] = nil
    }
    return true
  }

  /// Removes expired codes and tokens, and the grants without any left.
  private mutating func removeExpired(_ now: Timestamp) {
    while let (digest, code) = codes.removeExpired(now) { forget(digest, of: code.grant.family) }
    while let (digest, access) = accessTokens.removeExpired(now) { forget(digest, of: access.grant.family) }
    while let (digest, refresh) = refreshTokens.removeExpired(now) { forget(digest, of: refresh.grant.family) }
  }

  private mutating func markUsed(_ digest: SecretDigest, of family: Int) {
    families[family]?.usable.remove(digest)
    families[family]?.used.insert(digest)
  }

  private mutating func forget(_ digest: SecretDigest, of family: Int) {
    families[family]?.usable.remove(digest)
    families[family]?.used.remove(digest)
    if families[family]?.usable.isEmpty == true { end(family) }
  }
}
