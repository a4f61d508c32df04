import OAuthJOSE
import Timekeeping

/// Every grant and what was issued for it. Of tokens and codes only digests are kept.
struct GrantStore {
  /// What the person allowed one application, from one consent: the family that all its tokens belong to.
  struct Grant: Sendable {
    let family: Int
    let clientID: String
    var scopes: [String]
    /// What binds the ID token to the sign-in; none in one that a refresh gives (OpenID Connect Core § 12.2).
    var nonce: String?
    let authenticatedAt: Timestamp
  }

  /// Tokens that were just issued.
  struct Issued {
    let accessToken: String
    let refreshToken: String?
    let grant: Grant
  }

  /// How a request for tokens failed.
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
    let grant: Grant
    let expires: Timestamp
  }

  private struct Refresh {
    let grant: Grant
    let expires: Timestamp?
    var isUsed = false
  }

  private var codes: [SecretDigest: Code] = [:]
  private var accessTokens: [SecretDigest: Access] = [:]
  private var refreshTokens: [SecretDigest: Refresh] = [:]
  private var liveFamilies: Set<Int> = []
  private var lastFamily = 0
}

extension GrantStore {
  mutating func issueCode(
    for request: AuthorizationRequest, granting scopes: [String], now: Timestamp, lifetime: Duration
  ) -> String {
    lastFamily += 1
    liveFamilies.insert(lastFamily)
    let code = IssuedSecret.random()
    codes[SecretDigest(of: code)] = Code(
      grant: Grant(
        family: lastFamily, clientID: request.client.id, scopes: scopes, nonce: request.nonce, authenticatedAt: now),
      redirectURI: request.redirectURI, challenge: request.codeChallenge, expires: now + lifetime)
    return code
  }

  /// Redeems a code ([RFC 6749 § 4.1.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.3)). Whatever is wrong
  /// with the attempt of the client it was issued to, the code is spent.
  mutating func redeem(
    code: String, clientID: String, redirectURI: String, verifier: String?, now: Timestamp,
    configuration: Sandbox.Configuration
  ) throws(Refusal) -> Issued {
    let digest = SecretDigest(of: code)
    guard let found = codes[digest], found.grant.clientID == clientID else { throw .invalid(clientID: nil) }
    guard !found.isUsed else {
      // RFC 6749 § 4.1.2: what was issued for it before is revoked.
      liveFamilies.remove(found.grant.family)
      throw .replayed(clientID: clientID)
    }
    codes[digest]?.isUsed = true
    guard liveFamilies.contains(found.grant.family), now < found.expires, found.redirectURI == redirectURI,
      Self.proves(verifier, found.challenge)
    else {
      liveFamilies.remove(found.grant.family)
      throw .invalid(clientID: clientID)
    }
    return issue(
      found.grant, scopes: found.grant.scopes, withRefreshToken: configuration.issuesRefreshTokens, now, configuration)
  }

  /// Compares a verifier with the challenge ([RFC 7636 § 4.6](https://www.rfc-editor.org/rfc/rfc7636.html#section-4.6)). One
  /// without the other proves nothing: somebody may have taken the challenge away
  /// ([RFC 9700 § 2.1.1](https://www.rfc-editor.org/rfc/rfc9700.html#section-2.1.1)).
  private static func proves(_ verifier: String?, _ challenge: String?) -> Bool {
    switch (verifier, challenge) {
    case (nil, nil): true
    case (let verifier?, let challenge?):
      ConstantTime.equal(Base64URL.encode(MessageDigest.sha256(verifier)), challenge)
    default: false
    }
  }

  /// Spends a refresh token ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
  ///
  /// - Parameter scopes: What the new access token shall be for; `nil` for all that was granted.
  mutating func refresh(
    token: String, clientID: String, scopes: [String]?, now: Timestamp, configuration: Sandbox.Configuration
  ) throws(Refusal) -> Issued {
    let digest = SecretDigest(of: token)
    guard let found = refreshTokens[digest], found.grant.clientID == clientID else { throw .invalid(clientID: nil) }
    guard liveFamilies.contains(found.grant.family) else { throw .invalid(clientID: clientID) }
    guard !found.isUsed else {
      // RFC 9700 § 4.14.2: nobody can tell which of the two is the thief.
      liveFamilies.remove(found.grant.family)
      throw .replayed(clientID: clientID)
    }
    if let expires = found.expires, expires <= now { throw .invalid(clientID: clientID) }
    let scopes = scopes ?? found.grant.scopes
    guard Set(scopes).isSubset(of: found.grant.scopes) else { throw .scopeTooWide }
    if configuration.rotatesRefreshTokens { refreshTokens[digest]?.isUsed = true }
    return issue(found.grant, scopes: scopes, withRefreshToken: configuration.rotatesRefreshTokens, now, configuration)
  }

  private mutating func issue(
    _ grant: Grant, scopes: [String], withRefreshToken: Bool, _ now: Timestamp, _ configuration: Sandbox.Configuration
  ) -> Issued {
    accessTokens = accessTokens.filter { $0.value.expires > now }
    var narrowed = grant
    narrowed.scopes = scopes
    let accessToken = IssuedSecret.random()
    accessTokens[SecretDigest(of: accessToken)] = Access(
      grant: narrowed, expires: now + configuration.accessTokenLifetime)
    var refreshToken: String?
    if withRefreshToken {
      let token = IssuedSecret.random()
      // RFC 6749 § 6: the new refresh token has the scope of the old one, however narrow the access token is.
      var renewable = grant
      renewable.nonce = nil
      refreshTokens[SecretDigest(of: token)] = Refresh(
        grant: renewable, expires: configuration.refreshTokenLifetime.map { now + $0 })
      refreshToken = token
    }
    return Issued(accessToken: accessToken, refreshToken: refreshToken, grant: narrowed)
  }

  /// The grant behind an access token that is good now.
  func grant(forAccessToken token: String, now: Timestamp) -> Grant? {
    guard let found = accessTokens[SecretDigest(of: token)], found.expires > now,
      liveFamilies.contains(found.grant.family)
    else { return nil }
    return found.grant
  }

  /// Revokes a token of a client ([RFC 7009 § 2.1](https://www.rfc-editor.org/rfc/rfc7009.html#section-2.1)); a refresh
  /// token takes everything of the same grant with it.
  ///
  /// - Returns: Whether there was such a token.
  mutating func revoke(_ token: String, clientID: String) -> Bool {
    let digest = SecretDigest(of: token)
    if let found = refreshTokens[digest], found.grant.clientID == clientID {
      return liveFamilies.remove(found.grant.family) != nil
    }
    guard accessTokens[digest]?.grant.clientID == clientID else { return false }
    return accessTokens.removeValue(forKey: digest) != nil
  }

  mutating func invalidateAccessTokens() { accessTokens.removeAll() }

  mutating func endAll() { liveFamilies.removeAll() }
}
