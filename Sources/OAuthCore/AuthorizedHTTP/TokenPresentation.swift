// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import TokenStore

/// Presents an access token in a request
/// ([RFC 6749 § 7](https://www.rfc-editor.org/rfc/rfc6749.html#section-7)).
///
/// Use ``automatic``, the default of ``AuthorizedTransport``, or ``bearer`` or ``dpop`` for tokens of one type. A method of your own adds to the request what the type of its token
/// requires, such as a proof that the client has a key, and refuses the types that it does not know:
///
/// ```swift
/// struct SignedRequests: TokenPresentation {
///   let key: SigningKey
///   func authorize(_ request: inout HTTPRequest, with token: AccessToken) async throws {
///     guard token.type.lowercased() == "signed" else { throw OAuthError(.unsupportedTokenType, "Not a signed token.") }
///     request.fields["Authorization"] = "Signed \(token.value.reveal())"
///     request.fields["Signature"] = try key.signature(of: request)
///   }
/// }
/// ```
public protocol TokenPresentation: Sendable {
  /// Adds `token` to a request, with what proves the right to use it.
  ///
  /// It is called once for every attempt, by any number of tasks at the same time.
  ///
  /// - Parameters:
  ///   - request: The request, complete except for its authorization. Its URL is one that may see the token.
  ///   - token: The token to present.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` for a token of a type that this method does
  ///   not present; any other error. The request is then not sent.
  func authorize(_ request: inout HTTPRequest, with token: AccessToken) async throws

  /// Reads the response to a request, and says whether to authorize and send the request once more.
  ///
  /// It sees every response of the request's own origin, with any status, so that it can keep what the server sent for the
  /// next request, such as a nonce ([RFC 9449 § 9](https://www.rfc-editor.org/rfc/rfc9449.html#section-9)). A response after
  /// which the request is sent again does not concern the token. A request is sent once more, and if the server then demands
  /// something else, a few times in turn with the others.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent.
  ///   - response: The response to it.
  /// - Returns: Whether to send the request again. The default implementation returns `false`.
  func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) async -> Bool
}

extension TokenPresentation {
  /// Returns `false`.
  public func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) async -> Bool { false }
}

/// Presents a bearer token in the `Authorization` field
/// ([RFC 6750 § 2.1](https://www.rfc-editor.org/rfc/rfc6750.html#section-2.1)).
public struct BearerPresentation: TokenPresentation, Hashable {
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

extension TokenPresentation where Self == BearerPresentation {
  /// The token in the `Authorization` field, for bearer tokens.
  public static var bearer: BearerPresentation { BearerPresentation() }
}
