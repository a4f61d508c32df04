// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import OAuthScope

extension AuthorizationServer {
  /// Returns the server's metadata ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2),
  /// [OpenID Connect Discovery § 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata)).
  func metadata(issuer: String) -> JSONValue {
    let confidential: [JSONValue] = [
      "client_secret_post", "client_secret_basic", "client_secret_jwt", "private_key_jwt", "tls_client_auth",
    ]
    let authentication = JSONValue.array(["none"] + confidential)
    let algorithms = (JWS.Algorithm.asymmetric.map(\.rawValue) + [JWS.Algorithm.hs256.rawValue]).sorted()
    var members: [String: JSONValue] = [
      "issuer": .string(issuer),
      "introspection_endpoint": .string(issuer + Path.introspection),
      "introspection_endpoint_auth_methods_supported": .array(confidential),
      "authorization_endpoint": .string(issuer + Path.authorization),
      "token_endpoint": .string(issuer + Path.token),
      "device_authorization_endpoint": .string(issuer + Path.deviceAuthorization),
      "backchannel_authentication_endpoint": .string(issuer + Path.backchannel),
      // CIBA Core § 4.
      "backchannel_token_delivery_modes_supported": ["poll"],
      "backchannel_user_code_parameter_supported": false,
      "revocation_endpoint": .string(issuer + Path.revocation),
      "userinfo_endpoint": .string(issuer + Path.userinfo),
      "end_session_endpoint": .string(issuer + Path.logout),
      "backchannel_logout_supported": .bool(configuration.logoutTransport != nil),
      "backchannel_logout_session_supported": .bool(configuration.logoutTransport != nil),
      "jwks_uri": .string(issuer + Path.keys),
      "scopes_supported": .array(configuration.scopes.map { .string($0.scope.rawValue) }),
      "response_types_supported": ["code"],
      "response_modes_supported": ["query"],
      "grant_types_supported": .array(Self.grants.keys.sorted().map { .string($0) }),
      "code_challenge_methods_supported": ["S256"],
      "token_endpoint_auth_methods_supported": authentication,
      "token_endpoint_auth_signing_alg_values_supported": .array(algorithms.map { .string($0) }),
      "revocation_endpoint_auth_methods_supported": authentication,
      "revocation_endpoint_auth_signing_alg_values_supported": .array(algorithms.map { .string($0) }),
      "authorization_response_iss_parameter_supported": true,
      "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": [.string(configuration.idTokenAlgorithm.rawValue)],
      "claims_supported": [
        "iss", "sub", "aud", "azp", "exp", "iat", "auth_time", "acr", "sid", "nonce", "at_hash", "name", "email",
        "email_verified",
        "locale", "picture",
      ],
      "claims_parameter_supported": true,
      "acr_values_supported": .array(configuration.authenticationContextClasses.map { .string($0) }),
      "pushed_authorization_request_endpoint": .string(issuer + Path.pushedAuthorization),
      "require_pushed_authorization_requests": .bool(configuration.requiresPushedAuthorizationRequests),
      "authorization_details_types_supported": .array(
        configuration.authorizationDetailsTypes.sorted().map { .string($0) }),
      "request_parameter_supported": true,
      "request_object_signing_alg_values_supported": .array(
        JWS.Algorithm.asymmetric.map(\.rawValue).sorted().map { .string($0) }),
      "request_uri_parameter_supported": false,
    ]
    if let proofs = configuration.proofs {
      members["dpop_signing_alg_values_supported"] = .array(
        proofs.algorithms.map(\.rawValue).sorted().map { .string($0) })
    }
    if configuration.registrationAccess != nil {
      members["registration_endpoint"] = .string(issuer + Path.registration)
    }
    if configuration.signsUserinfo {
      members["userinfo_signing_alg_values_supported"] = [.string(configuration.idTokenAlgorithm.rawValue)]
    }
    return .object(members)
  }
}
