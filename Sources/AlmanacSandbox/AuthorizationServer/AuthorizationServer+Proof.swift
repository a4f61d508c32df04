// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// Checks the DPoP proof of a request ([RFC 9449 § 4.3](https://www.rfc-editor.org/rfc/rfc9449.html#section-4.3)).
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - accessToken: The access token of the request, or `nil` at the authorization server.
  ///   - issuer: The issuer of the nonce required in the proof.
  /// - Returns: The thumbprint of the key, or `nil` if the request has no proof.
  func provenKey(
    of request: HTTPRequest, accessToken: String? = nil, nonceOf issuer: ProofStore.NonceIssuer = .authorizationServer
  ) throws(OAuthFault) -> String? {
    let values = request.fields.values(for: "DPoP")
    guard let policy = configuration.proofs, !policy.ignoresProofs, let text = values.first else { return nil }
    guard values.count == 1 else { throw .invalidProof("There is more than one proof.") }
    guard let jws = try? JWS(compact: text), jws.header.type == "dpop+jwt", let key = jws.header.publicKey,
      let thumbprint = key.thumbprint
    else { throw .invalidProof("The proof is not a JWT of type dpop+jwt with a public key.") }
    guard let payload = try? jws.payload(verifiedWith: key, allowing: policy.algorithms),
      let claims = JSONValue.members(of: payload)
    else { throw .invalidProof("The proof is not signed by its key with a supported algorithm.") }
    guard claims["htm"]?.string == request.method.rawValue,
      claims["htu"]?.string.flatMap({ URL(string: $0) })?.isTarget(of: request) == true
    else { throw .invalidProof("The proof is for another request.") }
    let now = clock.now
    guard let seconds = claims["iat"]?.number?.integer,
      case let issuedAt = Timestamp(secondsSince1970: Int64(seconds)),
      issuedAt - now <= policy.tolerance, now - issuedAt <= policy.tolerance
    else { throw .invalidProof("The proof's iat is too far from the current time.") }
    if let accessToken {
      guard claims["ath"]?.string == Base64URL.encode(MessageDigest.sha256(accessToken)) else {
        throw .invalidProof("The proof is for another access token.")
      }
    }
    guard let identifier = claims["jti"]?.string, !identifier.isEmpty else {
      throw .invalidProof("The proof has no jti.")
    }
    let (isFirst, isCurrent) = state.withLock { state in
      let isFirst = state.proofs.isFirstUse(
        of: identifier, by: thumbprint, now: now, until: issuedAt + policy.tolerance + .seconds(1))
      let limit = policy.requestsPerNonce
      let isCurrent =
        isFirst && (limit.map { state.proofs.use(claims["nonce"]?.string, of: issuer, limit: $0) } ?? true)
      return (isFirst, isCurrent)
    }
    guard isFirst else { throw .invalidProof("The proof was already used.") }
    guard isCurrent else {
      record(.nonceDemanded)
      throw OAuthFault("use_dpop_nonce", "The proof must contain the nonce from this response.")
    }
    return thumbprint
  }

  /// The nonce to send with a response, or `nil` for none.
  func offeredNonce(for request: HTTPRequest, _ response: HTTPResponse) -> String? {
    guard let policy = configuration.proofs, policy.requestsPerNonce != nil, request.fields["DPoP"] != nil,
      policy.announcesNonces || response.status == 400 || response.status == 401
    else { return nil }
    let path = request.url.path(percentEncoded: true)
    let isResource = ProtectedResource.at(path) != nil
    return state.withLock { $0.proofs.nonce(of: isResource ? .resources : .authorizationServer) }
  }

  /// Returns the challenge for a rejected proof or bound token
  /// ([RFC 9449 § 7.1](https://www.rfc-editor.org/rfc/rfc9449.html#section-7.1)).
  func proofChallenge(for request: HTTPRequest, error: String) -> String {
    let algorithms = (configuration.proofs?.algorithms ?? []).map(\.rawValue).sorted().joined(separator: " ")
    return challenge("DPoP", for: request, error: error) + #", algs="\#(algorithms)""#
  }
}

extension OAuthFault {
  static func invalidProof(_ description: String) -> OAuthFault { .init("invalid_dpop_proof", description) }
}

extension URL {
  /// Whether this is the request's URL without query and fragment.
  fileprivate func isTarget(of request: HTTPRequest) -> Bool {
    let path = { (url: URL) in url.path(percentEncoded: true).isEmpty ? "/" : url.path(percentEncoded: true) }
    return Origin(self) == Origin(request.url) && path(self) == path(request.url) && query() == nil && fragment() == nil
  }
}
