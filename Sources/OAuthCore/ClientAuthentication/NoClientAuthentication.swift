// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The client authentication method of a public client, which sends its identifier and no credentials
/// ([RFC 8252 § 8.5](https://www.rfc-editor.org/rfc/rfc8252.html#section-8.5)).
///
/// Only PKCE protects the exchange of the code.
public struct NoClientAuthentication: ClientAuthentication, Hashable {
  /// Creates the method.
  public init() {}

  /// Adds the client identifier to a request.
  public func authenticate(_ request: inout TokenRequest) {
    request.parameters["client_id"] = request.clientID
  }
}

extension ClientAuthentication where Self == NoClientAuthentication {
  /// A public client, which sends its identifier and no credentials.
  public static var none: NoClientAuthentication { NoClientAuthentication() }
}
