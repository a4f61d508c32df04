// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
public import TokenStore

/// Client authentication with Basic credentials, form-encoded, `client_secret_basic`
/// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
public struct ClientSecretBasic: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Adds the client's credentials to a request.
  public func authenticate(_ request: inout TokenRequest) {
    // A space is "%20", not "+": form decoders accept both, but servers that only decode percent-encoding accept only "%20".
    let encoded = Secret(FormEncoding.query.encode(secret.reveal()))
    request.setBasicCredentials(FormEncoding.query.encode(request.clientID), encoded)
    request.secrets += [secret, encoded]
  }
}

extension ClientAuthentication where Self == ClientSecretBasic {
  /// Client authentication with form-encoded Basic credentials in the `Authorization` field.
  public static func clientSecretBasic(_ secret: Secret) -> ClientSecretBasic { ClientSecretBasic(secret) }
}

/// Client authentication with Basic credentials without form encoding, for servers that do not decode them.
public struct ClientSecretBasicUnencoded: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Adds the client's credentials to a request.
  public func authenticate(_ request: inout TokenRequest) {
    request.setBasicCredentials(request.clientID, secret)
    request.secrets.append(secret)
  }
}

extension ClientAuthentication where Self == ClientSecretBasicUnencoded {
  /// Client authentication with Basic credentials without form encoding, for servers that do not decode them.
  public static func clientSecretBasicUnencoded(_ secret: Secret) -> ClientSecretBasicUnencoded {
    ClientSecretBasicUnencoded(secret)
  }
}

extension TokenRequest {
  /// Sets the `Authorization` field to Basic credentials ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617.html)), and adds them to the
  /// request's secrets.
  mutating func setBasicCredentials(_ identifier: String, _ secret: Secret) {
    let credentials = Data("\(identifier):\(secret.reveal())".utf8).base64EncodedString()
    fields["Authorization"] = "Basic \(credentials)"
    secrets.append(Secret(credentials))
  }
}
