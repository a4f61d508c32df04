// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization
public import Timekeeping
import TokenStore

/// A token presentation with a proof of possession for each request
/// ([RFC 9449 § 7](https://www.rfc-editor.org/rfc/rfc9449.html#section-7)).
///
/// It stores the servers' nonces and uses them in the next proofs. A request is repeated if the server rejects it because of a missing
/// nonce, or because this machine's clock is wrong.
///
/// Copies share the nonces.
public struct DPoPPresentation: TokenPresentation {
  private let clock: any WallClock
  private let servers = DPoPServers()
  private let keys = LastKey()

  /// Creates the presentation.
  ///
  /// - Parameter clock: The clock for the time in proofs.
  public init(clock: some WallClock = SystemClock()) { self.clock = clock }

  /// Sets the fields `Authorization` and `DPoP`.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` if the token's type is not `DPoP`, or with code
  ///   ``OAuthError/Code/signInRequired`` if its key is missing or damaged.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    guard token.isBound else {
      throw OAuthError(
        .unsupportedTokenType,
        "The access token is of type \"\(OAuthError.printable(token.type, limit: 32))\", not DPoP. Use a token presentation for this type."
      )
    }
    guard let record = token.proofKey else { throw OAuthError.proofKeyMissing }
    let key = try keys.key(for: record)
    request.fields["DPoP"] = try servers.proof(
      for: request, accessToken: token.value, by: key, now: clock.now, clockOffset: token.serverClockOffset)
    request.fields["Authorization"] = "DPoP \(token.value.reveal())"
  }

  /// Stores the server's nonce, and returns whether a request was rejected only because of the nonce or the time in its proof.
  public func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
    guard request.fields["DPoP"] != nil else { return false }
    return servers.shouldRepeat(request, after: response, refusedWith: response.proofError, now: clock.now)
  }
}

extension TokenPresentation where Self == DPoPPresentation {
  /// The presentation with a proof of possession, for tokens of type `DPoP`.
  ///
  /// Proofs use the time of the system's clock.
  public static var dpop: DPoPPresentation { DPoPPresentation() }

  /// Returns the presentation with a proof of possession, for tokens of type `DPoP`.
  ///
  /// - Parameter clock: The clock for the time in proofs.
  public static func dpop(clock: some WallClock) -> DPoPPresentation { DPoPPresentation(clock: clock) }
}

extension HTTPResponse {
  /// The error code of a resource that rejected a proof, or the token bound to its key
  /// ([RFC 9449 § 7.1, § 9](https://www.rfc-editor.org/rfc/rfc9449.html#section-7.1)), or `nil` if there is none.
  fileprivate var proofError: String? {
    guard status == 401 else { return nil }
    return fields.authenticationChallenges.lazy.filter { $0.hasScheme("DPoP") }.compactMap { $0["error"] }.first
  }

  /// Whether a resource rejected only the proof, so another token would be rejected too.
  var refusesProof: Bool { ["use_dpop_nonce", "invalid_dpop_proof"].contains(proofError) }
}

extension OAuthError {
  static var proofKeyMissing: OAuthError {
    OAuthError(.signInRequired, "The DPoP key for these tokens is missing. Sign in again.")
  }
}

/// A cache of the last used key, since parsing a key takes longer than signing with it.
private final class LastKey: Sendable {
  private let last = Mutex<(record: ProofKey, key: DPoPKey)?>(nil)

  func key(for record: ProofKey) throws -> DPoPKey {
    if let last = last.withLock(\.self), last.record == record { return last.key }
    let key = try DPoPKey(record)
    last.withLock { $0 = (record, key) }
    return key
  }
}
