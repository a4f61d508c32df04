// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
public import OAuthJOSE
import Support
public import Timekeeping
public import TokenStore

/// A verifier of ID tokens
/// ([OpenID Connect Core § 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)).
///
/// It verifies the signature by the issuer's published keys, the issuer, the audience, the times, the nonce, and that the ID token belongs
/// to the access token.
///
/// Any number of tasks can use it. They share one set of keys. The keys are cached for an hour. If a signature does not
/// verify, such as after the issuer has rotated its keys, they are requested again immediately. At most four requests
/// are sent per minute.
public struct IDTokenVerifier: TokenVerifier {
  private let server: ServerMetadata
  private let clientID: String
  let clock: any WallClock
  let leeway: Duration
  private let algorithms: Set<JWS.Algorithm>
  private let keys: KeyCache

  /// Creates a verifier for the tokens of `client`.
  ///
  /// - Parameters:
  ///   - client: The client the tokens are for.
  ///   - transport: The transport for key requests.
  ///   - clock: The clock for expiry and the other times.
  ///   - leeway: The tolerated error of the server's clock. Defaults to one minute.
  ///   - algorithms: The accepted signature algorithms. Defaults to all algorithms with public keys. To accept only the
  ///     client's registered algorithm (`id_token_signed_response_alg`), pass this algorithm.
  public init(
    client: OAuthClient, transport: some Transport, clock: some WallClock = SystemClock(),
    leeway: Duration = .seconds(60), allowing algorithms: Set<JWS.Algorithm> = JWS.Algorithm.asymmetric
  ) {
    server = client.server
    clientID = client.registration.clientID
    self.clock = clock
    self.leeway = leeway
    self.algorithms = algorithms
    keys = KeyCache(url: client.server.jwksURI, transport: transport, clock: clock)
  }

  /// Verifies an ID token and returns its claims.
  ///
  /// - Parameters:
  ///   - idToken: The token as received.
  ///   - nonce: The nonce of the authorization request, or `nil` if there was none.
  ///   - accessToken: The access token issued with the ID token. It is compared with the claim `at_hash`, if there is
  ///     one.
  ///   - authorizationCode: The authorization code issued with the ID token or exchanged for it. It is compared with
  ///     the claim `c_hash`, if there is one.
  ///   - authentication: The requirements for the user's authentication.
  ///   - serverClockOffset: The offset of the server's clock from this machine's, positive if the server's is ahead.
  /// - Throws: `OAuthError` with one of these codes: `invalidResponse`, `issuerMismatch`, `insufficientAuthentication`
  ///   if the authentication is too old or of another class, `serverUnavailable` if the keys are temporarily
  ///   unavailable, `unsupported` if the server publishes no keys. Also `TransportError` and `CancellationError`.
  @concurrent public func claims(
    of idToken: Secret, nonce: Secret?, accessToken: Secret? = nil, authorizationCode: Secret? = nil,
    authentication: AuthenticationRequirement = AuthenticationRequirement(), serverClockOffset: Duration = .zero
  ) async throws -> IDTokenClaims {
    let (header, payload) = try await verifiedPayload(of: idToken, named: "ID token")
    // RFC 8725 § 3.11: a token with another explicit type, such as an access token (at+jwt) or a logout token, is not an ID token.
    guard ["jwt", "application/jwt"].contains(header.type?.lowercased() ?? "jwt") else {
      throw OAuthError(
        .invalidResponse, "The ID token from \(server.name) has the wrong type in its header.")
    }
    let claims = try IDTokenClaims(payload: payload)
    guard isIssuer(claims.issuer) else {
      throw OAuthError(.issuerMismatch, "The ID token names another issuer than \(server.name).")
    }
    guard isAudience(claims.audience) else {
      throw OAuthError(.invalidResponse, "The ID token from \(server.name) is for another client.")
    }
    guard claims.authorizedParty.map({ ConstantTime.equal($0, clientID) }) ?? (claims.audience.count == 1) else {
      throw OAuthError(.invalidResponse, "The ID token from \(server.name) was requested by another client.")
    }
    let now = clock.now + serverClockOffset
    guard now < claims.expiresAt + leeway else {
      throw OAuthError(.invalidResponse, "The ID token from \(server.name) has expired. Check this machine's clock.")
    }
    guard claims.issuedAt <= now + leeway, claims.notBefore.map({ $0 <= now + leeway }) ?? true else {
      throw OAuthError(
        .invalidResponse,
        "The ID token from \(server.name) was issued in the future. Check this machine's clock.")
    }
    if let nonce {
      guard let claimed = claims.nonce, Secret(claimed) == nonce else {
        throw OAuthError(.invalidResponse, "The ID token does not belong to this sign-in. Start the sign-in again.")
      }
    }
    guard Self.fits(claims.accessTokenHash, accessToken, header.algorithm) else {
      throw mismatch(claims.accessTokenHash, "at_hash", accessToken, "access token", header.algorithm)
    }
    guard Self.fits(claims.codeHash, authorizationCode, header.algorithm) else {
      throw mismatch(claims.codeHash, "c_hash", authorizationCode, "authorization code", header.algorithm)
    }
    try authentication.check(claims, from: server.name, at: now, leeway: leeway)
    return claims
  }

  /// Returns the error for a hash that does not match a secret.
  ///
  /// - Parameters:
  ///   - hash: The value of the claim.
  ///   - claim: The claim's name.
  ///   - secret: The secret.
  ///   - name: The kind of secret, for the message.
  ///   - algorithm: The algorithm of the ID token's signature.
  private func mismatch(
    _ hash: String?, _ claim: String, _ secret: Secret?, _ name: String, _ algorithm: JWS.Algorithm
  ) -> OAuthError {
    // Some servers use SHA-256 for every algorithm. OpenID Connect Core § 3.1.3.6 requires the digest of the signature algorithm.
    guard algorithm != .hs256, Self.fits(hash, secret, .hs256) else {
      return OAuthError(.invalidResponse, "The ID token was issued for another \(name). Sign in again.")
    }
    return OAuthError(
      .invalidResponse,
      "The \(claim) in the ID token from \(server.name) uses SHA-256, but a signature with \(OAuthError.printable(algorithm.rawValue, limit: 32)) requires another digest (SHA-512 for EdDSA). Report the error to the server's operator, or register the client for ID tokens signed with RS256 or ES256."
    )
  }

  /// Returns whether a hash matches a secret (§ 3.1.3.6, § 3.3.2.11), or one of them is missing.
  private static func fits(_ hash: String?, _ secret: Secret?, _ algorithm: JWS.Algorithm) -> Bool {
    guard let hash, let secret else { return true }
    return algorithm.halfDigest(of: secret.reveal()).map { ConstantTime.equal(hash, $0) } ?? false
  }
}

extension IDTokenVerifier {
  /// The server's name in messages.
  var serverName: String { server.name }

  /// Returns whether a name equals the issuer's or one of its aliases (§ 3.1.3.7).
  ///
  /// The comparison is exact. Swift's `==` would ignore differences in Unicode normalization.
  func isIssuer(_ name: String) -> Bool {
    ([server.issuer] + server.issuerAliases).contains { ConstantTime.equal($0, name) }
  }

  /// Returns whether the client is in the audience.
  func isAudience(_ recipients: [String]) -> Bool { recipients.contains { ConstantTime.equal($0, clientID) } }

  /// Returns the header and payload of a JWT after verifying the server's signature.
  ///
  /// - Parameters:
  ///   - text: The JWT.
  ///   - name: The kind of JWT, for messages.
  func verifiedPayload(of text: Secret, named name: String) async throws -> (header: JWS.Header, payload: [UInt8]) {
    do {
      let jws = try JWS(compact: text.reveal())
      return (jws.header, try await keys.verifiedPayload(of: jws, allowing: algorithms))
    } catch let error as JOSEError {
      throw OAuthError(.invalidResponse, "The \(name)'s signature is not valid: \(error.message)")
    }
  }
}
