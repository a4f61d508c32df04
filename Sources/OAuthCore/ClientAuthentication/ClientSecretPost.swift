// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

/// Client authentication with the secret as a form parameter, `client_secret_post`
/// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
public struct ClientSecretPost: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Adds the client's credentials to a request.
  public func authenticate(_ request: inout TokenRequest) {
    request.parameters["client_id"] = request.clientID
    request.parameters["client_secret"] = secret.reveal()
    request.secrets.append(secret)
  }
}

extension ClientAuthentication where Self == ClientSecretPost {
  /// Client authentication with the secret as a form parameter.
  ///
  /// Google's desktop clients use this method. Their secret is not confidential.
  public static func clientSecretPost(_ secret: Secret) -> ClientSecretPost { ClientSecretPost(secret) }
}
