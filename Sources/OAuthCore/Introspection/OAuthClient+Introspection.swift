// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

extension OAuthClient {
  /// Requests what the server knows of a token ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662.html)): for a service that
  /// receives tokens which it cannot check itself.
  ///
  /// The client authenticates as at the token endpoint. The response is about this moment: a token may be revoked in the next.
  ///
  /// - Parameters:
  ///   - token: The token to ask about.
  ///   - hint: What kind of token it is, so that the server finds it sooner.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupported`` if the server has no introspection endpoint,
  ///   ``OAuthError/Code/requestRejected`` if it does not accept the client; `TransportError`; `CancellationError`.
  public func introspect(_ token: Secret, hint: TokenTypeHint? = nil) async throws -> TokenIntrospection {
    guard let endpoint = server.introspectionEndpoint else {
      throw OAuthError(
        .unsupported, "\(server.name) has no introspection endpoint. Ask it through an API, or verify the token.")
    }
    var form: FormFields = ["token": token.reveal()]
    form["token_type_hint"] = hint?.rawValue
    guard let introspection = TokenIntrospection(try await post(form, to: endpoint).body) else {
      throw OAuthError(
        .invalidResponse,
        "The response of the introspection endpoint of \(server.name) does not say whether the token is active.")
    }
    return introspection
  }
}
