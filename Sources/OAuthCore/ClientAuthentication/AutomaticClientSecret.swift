// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// Sends the client's secret by a method that the server supports.
///
/// The server's `token_endpoint_auth_methods_supported` decides: `client_secret_basic` if it is listed or the list is absent,
/// since it is the default ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2)), else `client_secret_post`, else
/// `client_secret_jwt`.
/// Whether Basic credentials are form-encoded is one of the provider's ``Provider/Quirks``.
public struct AutomaticClientSecret: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Authenticates by the method that the server supports.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server lists no method that uses a
  ///   secret, or only `client_secret_jwt` and the secret is too short for it.
  public func authenticate(_ request: inout TokenRequest) throws {
    let supported = request.provider.server.tokenEndpointAuthMethodsSupported ?? ["client_secret_basic"]
    if supported.contains("client_secret_basic") {
      if request.provider.quirks.formEncodesBasicCredentials {
        ClientSecretBasic(secret).authenticate(&request)
      } else {
        ClientSecretBasicUnencoded(secret).authenticate(&request)
      }
    } else if supported.contains("client_secret_post") {
      ClientSecretPost(secret).authenticate(&request)
    } else if supported.contains("client_secret_jwt") {
      try ClientSecretJWT(secret).authenticate(&request)
    } else {
      throw OAuthError(
        .invalidConfiguration,
        "The server supports no client authentication that uses a secret. Choose the method for this client yourself.")
    }
  }
}

extension ClientAuthentication where Self == AutomaticClientSecret {
  /// The secret by a method that the server supports.
  public static func clientSecret(_ secret: Secret) -> AutomaticClientSecret { AutomaticClientSecret(secret) }
}
