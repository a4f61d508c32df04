// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
public import TokenStore

/// Client authentication with a secret, by a method supported by the server.
///
/// The method is the first of these listed in the server's `token_endpoint_auth_methods_supported`:
/// `client_secret_basic`, `client_secret_post`, `client_secret_jwt`. Without a list, it is `client_secret_basic`, the
/// default ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2)). At the revocation and introspection
/// endpoints, the endpoint's own list is used if it contains one of these methods.
///
/// A server can list a method that it does not accept from this client. In this case, use the method of the client's
/// registration, such as ``ClientAuthentication/clientSecretPost(_:)``. The provider's ``Provider/Quirks`` determine
/// whether Basic credentials are form-encoded.
public struct AutomaticClientSecret: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Authenticates by the method supported by the server.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server lists no method with a
  ///   secret, or if it lists only `client_secret_jwt` and the secret is too short.
  public func authenticate(_ request: inout TokenRequest) throws {
    let supported = request.provider.server.secretMethods(at: request.endpoint)
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
      let server = request.provider.server
      let listed = (server.tokenEndpointAuthMethodsSupported ?? []).prefix(10)
      let names = listed.isEmpty ? "none" : OAuthError.printable(listed.joined(separator: ", "), limit: 200)
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) lists no client authentication that uses a secret. It lists: \(names). Register the client for one of them, and set the authentication method of its registration."
      )
    }
  }
}

extension ServerMetadata {
  /// The methods that use a client secret, in order of preference.
  static let secretMethods = ["client_secret_basic", "client_secret_post", "client_secret_jwt"]

  /// Returns the secret-based methods that an endpoint supports.
  fileprivate func secretMethods(at endpoint: URL) -> [String] {
    let own: [String]? =
      switch endpoint {
      case tokenEndpoint: nil
      case revocationEndpoint: revocationEndpointAuthMethodsSupported
      case introspectionEndpoint: introspectionEndpointAuthMethodsSupported
      default: nil
      }
    let lists = [own, tokenEndpointAuthMethodsSupported].map { list in
      list.map { Self.secretMethods.filter($0.contains) }
    }
    // A list without any of these methods does not apply to a client with a secret.
    return lists[0].flatMap { $0.isEmpty ? nil : $0 } ?? lists[1] ?? ["client_secret_basic"]
  }
}

extension ClientAuthentication where Self == AutomaticClientSecret {
  /// Client authentication with a secret, by a method supported by the server.
  public static func clientSecret(_ secret: Secret) -> AutomaticClientSecret { AutomaticClientSecret(secret) }
}
