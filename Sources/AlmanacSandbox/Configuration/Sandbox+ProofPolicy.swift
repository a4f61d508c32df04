// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE

extension Sandbox {
  /// How proofs of possession are checked ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  ///
  /// Signature, type, key, method, URL, time, access token and single use of a proof are always checked.
  public struct ProofPolicy: Sendable, Hashable {
    /// The algorithms that a proof may be signed with.
    public var algorithms: Set<JWS.Algorithm> = JWS.Algorithm.asymmetric
    /// After how many requests another nonce is demanded; `nil` for proofs without a nonce.
    ///
    /// The endpoints of the authorization server have one nonce, and the APIs another. No nonce but the newest is accepted.
    public var requestsPerNonce: Int?
    /// Whether every response has the nonce for the next proof.
    ///
    /// Defaults to `true`. If it is `false`, a client learns of a new nonce by being refused.
    public var announcesNonces = true
    /// How far the time in a proof may be from the sandbox's.
    public var tolerance: Duration = .seconds(60)
    /// Whether the sandbox gives bearer tokens in spite of a proof, as a server does that does not know proofs.
    public var ignoresProofs = false

    /// Creates the policy of a server that demands no nonce.
    public init() {}
  }
}
