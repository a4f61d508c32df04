// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

/// Sends the client's secret as a form parameter, `client_secret_post`
/// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
public struct ClientSecretPost: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Adds to a request what proves who the client is.
  public func authenticate(_ request: inout TokenRequest) {
    request.parameters["client_id"] = request.clientID
    request.parameters["client_secret"] = secret.reveal()
    request.secrets.append(secret)
  }
}

extension ClientAuthentication where Self == ClientSecretPost {
  /// The secret as a form parameter.
  ///
  /// Google's desktop clients send theirs in this way; it is not confidential there.
  public static func clientSecretPost(_ secret: Secret) -> ClientSecretPost { ClientSecretPost(secret) }
}
