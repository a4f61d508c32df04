// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

/// Sends the client's secret in the `Authorization` field without form-encoding identifier and secret, for servers that do not
/// decode them.
public struct ClientSecretBasicUnencoded: ClientAuthentication, Hashable {
  private let secret: Secret

  /// Creates the method.
  public init(_ secret: Secret) { self.secret = secret }

  /// Adds to a request what proves who the client is.
  public func authenticate(_ request: inout TokenRequest) {
    request.setBasicCredentials(request.clientID, secret)
    request.secrets.append(secret)
  }
}

extension ClientAuthentication where Self == ClientSecretBasicUnencoded {
  /// As ``clientSecretBasic(_:)`` without the form-encoding, for servers that do not undo it.
  public static func clientSecretBasicUnencoded(_ secret: Secret) -> ClientSecretBasicUnencoded {
    ClientSecretBasicUnencoded(secret)
  }
}

extension TokenRequest {
  /// Sets the `Authorization` field to Basic credentials ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617.html)), and hides
  /// them.
  mutating func setBasicCredentials(_ identifier: String, _ secret: Secret) {
    let credentials = Data("\(identifier):\(secret.reveal())".utf8).base64EncodedString()
    fields["Authorization"] = "Basic \(credentials)"
    secrets.append(Secret(credentials))
  }
}
