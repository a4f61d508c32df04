// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization
public import Timekeeping
import TokenStore

/// Presents a token that is bound to a key, with a proof for each request
/// ([RFC 9449 § 7](https://www.rfc-editor.org/rfc/rfc9449.html#section-7)).
///
/// It keeps the nonces of the servers and puts them into the next proofs. A request that is refused for want of a nonce, or for
/// the time in its proof where the clock of this machine is wrong, is sent again.
///
/// Copies share the nonces.
public struct DPoPPresentation: TokenPresentation {
  private let clock: any WallClock
  private let servers = DPoPServers()
  private let keys = LastKey()

  /// Creates the method.
  ///
  /// - Parameter clock: The clock that proofs are dated by.
  public init(clock: some WallClock = SystemClock()) { self.clock = clock }

  /// Sets the fields `Authorization` and `DPoP`.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` if the token is not of type `DPoP`, or
  ///   ``OAuthError/Code/signInRequired`` if its key is missing or damaged.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    guard token.isBound else {
      throw OAuthError(
        .unsupportedTokenType,
        "The access token is of type \"\(OAuthError.printable(token.type, limit: 32))\", not DPoP. Give the transport a request authorization for this type."
      )
    }
    guard let record = token.proofKey else { throw OAuthError.proofKeyMissing }
    let key = try keys.key(for: record)
    request.fields["DPoP"] = try servers.proof(
      for: request, accessToken: token.value, by: key, now: clock.now, clockOffset: token.serverClockOffset)
    request.fields["Authorization"] = "DPoP \(token.value.reveal())"
  }

  /// Keeps the server's nonce, and says whether a request was refused only for want of it or for its time.
  public func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
    guard request.fields["DPoP"] != nil else { return false }
    return servers.shouldRepeat(request, after: response, refusedWith: response.proofError, now: clock.now)
  }
}

extension TokenPresentation where Self == DPoPPresentation {
  /// The token with a proof of its key, for tokens of type `DPoP`.
  ///
  /// Proofs are dated by the system's clock.
  public static var dpop: DPoPPresentation { DPoPPresentation() }

  /// The token with a proof of its key, for tokens of type `DPoP`.
  ///
  /// - Parameter clock: The clock that proofs are dated by.
  public static func dpop(clock: some WallClock) -> DPoPPresentation { DPoPPresentation(clock: clock) }
}

extension AccessToken {
  /// Whether the token is bound to a key (RFC 9449 § 5); the type is compared without regard to case.
  var isBound: Bool { type.isBoundTokenType }
}

extension String {
  /// Whether it is the type of tokens that are bound to a key.
  var isBoundTokenType: Bool { utf8.count == 4 && lowercasedASCII == "dpop" }
}

extension HTTPResponse {
  /// Why a resource refused a proof, or the token that is bound to its key
  /// ([RFC 9449 § 7.1, § 9](https://www.rfc-editor.org/rfc/rfc9449.html#section-7.1)); `nil` if it did not.
  fileprivate var proofError: String? {
    guard status == 401 else { return nil }
    return fields.authenticationChallenges.lazy.filter { $0.isScheme("DPoP") }.compactMap { $0["error"] }.first
  }

  /// Whether a resource refused the proof alone, so that another token would not help.
  var refusesProof: Bool { ["use_dpop_nonce", "invalid_dpop_proof"].contains(proofError) }
}

extension OAuthError {
  static var proofKeyMissing: OAuthError {
    OAuthError(.signInRequired, "The key that the tokens are bound to is missing. Sign in again.")
  }
}

/// The key that was used last: reading one takes longer than signing with it.
private final class LastKey: Sendable {
  private let last = Mutex<(record: ProofKey, key: DPoPKey)?>(nil)

  func key(for record: ProofKey) throws -> DPoPKey {
    if let last = last.withLock(\.self), last.record == record { return last.key }
    let key = try DPoPKey(record)
    last.withLock { $0 = (record, key) }
    return key
  }
}
