// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
public import OAuthJOSE
import Support
public import Timekeeping
public import TokenStore

/// Verifies ID tokens ([OpenID Connect Core § 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)):
/// signature by the issuer's published keys, issuer, audience, times, nonce, and that it belongs to the access token.
///
/// Any number of tasks may use it; they share one set of keys. The keys are used for an hour, and requested again at once when
/// they do not verify a signature, as after the issuer has changed them; four requests a minute are sent at most.
public struct IDTokenVerifier: TokenVerifier {
  private let server: ServerMetadata
  private let clientID: String
  let clock: any WallClock
  let leeway: Duration
  private let algorithms: Set<JWS.Algorithm>
  private let keys: KeyCache

  /// Creates a verifier for tokens that `client` receives.
  ///
  /// - Parameters:
  ///   - client: The client the tokens are for.
  ///   - transport: The transport to fetch keys through.
  ///   - clock: The clock that times are judged by.
  ///   - leeway: How far the server's clock may be off.
  ///   - algorithms: The signature algorithms that are accepted, as far as they fit the server's keys. By default all that
  ///     public keys verify; name the one that the client was registered with (`id_token_signed_response_alg`) to insist on it.
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

  /// Verifies an ID token and returns what it says.
  ///
  /// - Parameters:
  ///   - idToken: The token as received.
  ///   - nonce: The nonce of the authorization request, or `nil` if there was none.
  ///   - accessToken: The access token that came with it, whose hash is compared if the ID token has one.
  ///   - authorizationCode: The code that came with it, or that it was exchanged for, whose hash is compared if the ID token
  ///     has one.
  ///   - authentication: How the user must have authenticated.
  ///   - serverClockOffset: How far the server's clock is ahead of this machine's.
  /// - Throws: `OAuthError` with code `invalidResponse` or `issuerMismatch`, `insufficientAuthentication` if the user authenticated
  ///   too long ago or in another way, `serverUnavailable` if the keys cannot be read now; `TransportError`; `CancellationError`.
  public func claims(
    of idToken: Secret, nonce: Secret?, accessToken: Secret? = nil, authorizationCode: Secret? = nil,
    authentication: AuthenticationRequirement = AuthenticationRequirement(), serverClockOffset: Duration = .zero
  ) async throws -> IDTokenClaims {
    let (header, payload) = try await verifiedPayload(of: idToken, named: "ID token")
    // RFC 8725 § 3.11: a token that says what it is, such as an access token (at+jwt) or a logout token, is no ID token.
    guard ["jwt", "application/jwt"].contains(header.type?.lowercased() ?? "jwt") else {
      throw OAuthError(
        .invalidResponse, "The ID token from \(server.name) says in its header that it is something else.")
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
        .invalidResponse, "The ID token from \(server.name) is from the future. Check this machine's clock.")
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

  /// The error for a hash that is not that of a secret.
  ///
  /// - Parameters:
  ///   - hash: The value of the claim.
  ///   - claim: The claim's name.
  ///   - secret: The secret.
  ///   - name: What the secret is, for the message.
  ///   - algorithm: The algorithm of the ID token's signature.
  private func mismatch(
    _ hash: String?, _ claim: String, _ secret: Secret?, _ name: String, _ algorithm: JWS.Algorithm
  ) -> OAuthError {
    // Some servers take SHA-256 for every algorithm. OpenID Connect Core § 3.1.3.6 requires the algorithm's own digest.
    guard algorithm != .hs256, Self.fits(hash, secret, .hs256) else {
      return OAuthError(.invalidResponse, "The ID token belongs to another \(name).")
    }
    return OAuthError(
      .invalidResponse,
      "The \(claim) in the ID token from \(server.name) is made with SHA-256, but a signature by \(OAuthError.printable(algorithm.rawValue, limit: 32)) requires another digest (for EdDSA, SHA-512). The server computes it wrongly: report it there, or register the client for ID tokens that are signed by RS256 or ES256."
    )
  }

  /// Returns whether a hash is that of a secret (§ 3.1.3.6, § 3.3.2.11), as far as both are there.
  private static func fits(_ hash: String?, _ secret: Secret?, _ algorithm: JWS.Algorithm) -> Bool {
    guard let hash, let secret else { return true }
    return algorithm.halfDigest(of: secret.reveal()).map { ConstantTime.equal(hash, $0) } ?? false
  }
}

extension IDTokenVerifier {
  /// The server in a message.
  var serverName: String { server.name }

  /// Returns whether a name is the issuer's (§ 3.1.3.7): exactly, code point by code point; Swift's `==` also takes another
  /// normalization of Unicode.
  func isIssuer(_ name: String) -> Bool {
    ([server.issuer] + server.issuerAliases).contains { ConstantTime.equal($0, name) }
  }

  /// Returns whether the client is among the recipients.
  func isAudience(_ recipients: [String]) -> Bool { recipients.contains { ConstantTime.equal($0, clientID) } }

  /// Returns the payload of a JWT after checking that the server has signed it.
  ///
  /// - Parameter name: What it is, for messages.
  func verifiedPayload(of text: Secret, named name: String) async throws -> (header: JWS.Header, payload: [UInt8]) {
    do {
      let jws = try JWS(compact: text.reveal())
      return (jws.header, try await keys.verifiedPayload(of: jws, allowing: algorithms))
    } catch let error as JOSEError {
      throw OAuthError(.invalidResponse, "The \(name)'s signature is not valid: \(error.message)")
    }
  }
}
