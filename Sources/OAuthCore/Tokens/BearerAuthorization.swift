// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import TokenStore

/// Presents a bearer token in the `Authorization` field
/// ([RFC 6750 § 2.1](https://www.rfc-editor.org/rfc/rfc6750.html#section-2.1)).
public struct BearerAuthorization: RequestAuthorization, Hashable {
  /// Creates the method.
  public init() {}

  /// Sets the `Authorization` field.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` if the token is not a bearer token.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    // RFC 6749 § 5.1: the type is compared without regard to case. Nearly every server writes it in one of these ways.
    guard token.type == "Bearer" || token.type.lowercasedASCII == "bearer" else {
      throw OAuthError(
        .unsupportedTokenType,
        "The access token is of type \"\(OAuthError.printable(token.type, limit: 32))\", not Bearer. Give the transport a request authorization for this type."
      )
    }
    request.fields["Authorization"] = "Bearer \(token.value.reveal())"
  }
}

extension RequestAuthorization where Self == BearerAuthorization {
  /// The token in the `Authorization` field, for bearer tokens.
  public static var bearer: BearerAuthorization { BearerAuthorization() }
}
