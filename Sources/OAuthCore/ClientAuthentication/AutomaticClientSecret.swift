// SPDX-License-Identifier: Apache-2.0

public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sends the client's secret by a method that the server supports.
///
/// The server's `token_endpoint_auth_methods_supported` decides: `client_secret_basic` if it is listed or the list is absent,
/// since it is the default ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2)), else `client_secret_post`, else
/// `client_secret_jwt`. At the revocation and introspection endpoints, the endpoint's own list comes first if it names one of these.
///
/// A server may list a method that it does not accept from this client. Use the method of the client's registration then, such as
/// ``ClientAuthentication/clientSecretPost(_:)``.
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
      throw OAuthError(
        .invalidConfiguration,
        "The server supports no client authentication that uses a secret. Choose the method for this client yourself.")
    }
  }
}

extension ServerMetadata {
  /// The methods by which a client proves that it has a secret, in order of preference.
  static let secretMethods = ["client_secret_basic", "client_secret_post", "client_secret_jwt"]

  /// Returns the methods that use a secret and that an endpoint supports.
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
    // A list of the endpoint's without any says nothing of a client that has a secret.
    return lists[0].flatMap { $0.isEmpty ? nil : $0 } ?? lists[1] ?? ["client_secret_basic"]
  }
}

extension ClientAuthentication where Self == AutomaticClientSecret {
  /// The secret by a method that the server supports.
  public static func clientSecret(_ secret: Secret) -> AutomaticClientSecret { AutomaticClientSecret(secret) }
}
