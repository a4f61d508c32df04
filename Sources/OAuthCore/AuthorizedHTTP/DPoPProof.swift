// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support
public import Timekeeping
public import TokenStore

/// The claims of a DPoP proof, by which a client proves possession of its key for one request
/// ([RFC 9449 § 4.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-4.2)).
///
/// ``DPoPPresentation`` and ``OAuthClient`` create a proof for each request.
public struct DPoPProof: Sendable, Hashable {
  /// The method of the request, `htm`.
  public let method: HTTPMethod
  /// The URL of the request without query and fragment, `htu`.
  public let target: String
  /// The time when the proof is created, by the server's clock, `iat`.
  public let issuedAt: Timestamp
  /// The server's nonce, `nonce`, or `nil` for none.
  public let nonce: String?
  /// The unique identifier of the proof, `jti`.
  public let identifier: String
  /// The digest of the access token, `ath`, or `nil` for a request without one.
  public let accessTokenHash: String?

  /// Creates the claims of a proof for a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - accessToken: The access token in the request, or `nil` for none, as at the token endpoint.
  ///   - nonce: The server's nonce, or `nil` for none.
  ///   - issuedAt: The time by the server's clock.
  ///   - identifier: The unique identifier of the proof, or `nil` for a random value.
  public init(
    for request: HTTPRequest, accessToken: Secret? = nil, nonce: String? = nil, issuedAt: Timestamp,
    identifier: String? = nil
  ) {
    method = request.method
    let path = request.url.path(percentEncoded: true)
    // § 4.3: the server compares the URL after normalization, but not all servers normalize it.
    target = (request.origin?.description ?? "") + (path.isEmpty ? "/" : path)
    accessTokenHash = accessToken.map { Base64URL.encode(MessageDigest.sha256($0.reveal())) }
    self.nonce = nonce
    self.issuedAt = issuedAt
    self.identifier = identifier ?? randomToken()
  }

  /// Returns the signed proof, the value of the field `DPoP`.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the key cannot sign.
  public func signed(with key: DPoPKey) throws -> String {
    var claims: [String: JSONValue] = [
      "htm": .string(method.rawValue), "htu": .string(target), "jti": .string(identifier),
      "iat": .number(JSONNumber(issuedAt.secondsSince1970)),
    ]
    claims["ath"] = accessTokenHash.map(JSONValue.string)
    claims["nonce"] = nonce.map(JSONValue.string)
    do {
      return try JWS.sign(
        JSONValue.object(claims).json(), with: key.signingKey, type: "dpop+jwt", publicKey: key.signingKey.publicJWK)
    } catch {
      throw OAuthError(.invalidConfiguration, "The DPoP proof cannot be signed: \(error.message)")
    }
  }
}

extension DPoPProof {
  /// The nonce and the time of a proof sent by this client.
  struct Sent {
    let nonce: String?
    let issuedAt: Timestamp?

    /// Creates a value from a signed proof, or returns `nil` if the text is not a proof.
    init?(_ text: String) {
      let parts = text.split(ascii: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let bytes = Base64URL.decode(parts[1]), let claims = try? JSONValue(json: bytes) else {
        return nil
      }
      nonce = claims["nonce"]?.string
      issuedAt = claims["iat"]?.number?.integer.map { Timestamp(secondsSince1970: Int64($0)) }
    }
  }
}
