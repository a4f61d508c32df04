// SPDX-License-Identifier: Apache-2.0

public import TokenStore

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
