// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

/// Sends the client's secret in the `Authorization` field, identifier and secret form-encoded first, `client_secret_basic`
/// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
public struct ClientSecretBasic: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Adds to a request what proves who the client is.
  public func authenticate(_ request: inout TokenRequest) {
    // A space as "%20", not as "+": a form decoder reads both, a server that only undoes percent-encoding the first alone.
    let encoded = Secret(FormEncoding.query.encode(secret.reveal()))
    request.setBasicCredentials(FormEncoding.query.encode(request.clientID), encoded)
    request.secrets += [secret, encoded]
  }
}

extension ClientAuthentication where Self == ClientSecretBasic {
  /// The secret in the `Authorization` field, identifier and secret form-encoded first.
  public static func clientSecretBasic(_ secret: Secret) -> ClientSecretBasic { ClientSecretBasic(secret) }
}
