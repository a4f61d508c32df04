// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import TokenStore

extension TokenRequest {
  /// Authenticates the client by an assertion that is good for this request alone
  /// ([RFC 7523 § 2.2](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.2)).
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server does not accept the key's
  ///   algorithm, or the key cannot sign.
  mutating func setAssertion(
    signedBy key: any JWSSigningKey, keyID: String?, audience: AssertionAudience?, lifetime: Duration
  ) throws {
    let supported = provider.server.tokenEndpointAuthSigningAlgValuesSupported
    guard supported?.contains(key.algorithm.rawValue) ?? true else {
      throw OAuthError(
        .invalidConfiguration,
        "\(provider.server.name) does not accept client assertions that are signed by \(key.algorithm.rawValue). Use a key for one of its token_endpoint_auth_signing_alg_values_supported."
      )
    }
    let assertion = try JWTAssertion(
      issuer: clientID, subject: clientID,
      audience: (audience ?? provider.quirks.assertionAudience).name(of: provider.server), at: time, lifetime: lifetime
    ).signed(with: key, keyID: keyID)
    parameters["client_id"] = clientID
    parameters["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    parameters["client_assertion"] = assertion.reveal()
    secrets.append(assertion)
  }
}
