// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import Timekeeping
import TokenStore

/// A type that presents an access token in a request
/// ([RFC 6749 § 7](https://www.rfc-editor.org/rfc/rfc6749.html#section-7)).
///
/// A ``TokenSource`` defines the presentation of its tokens. Use ``automatic``, the default, or ``bearer`` or ``dpop``
/// for tokens of one type. A custom presentation adds the fields required by its token's type, such as a proof of
/// possession, and rejects other types:
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
  /// Adds `token` to a request, with a proof of possession if its type requires one.
  ///
  /// The transport calls it once for each attempt, concurrently from any number of tasks.
  ///
  /// - Parameters:
  ///   - request: The request, complete except for its authorization. Its origin is allowed to receive the token.
  ///   - token: The token to present.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` if the presentation does not support
  ///   the token's type, or any other error. The request is then not sent.
  func authorize(_ request: inout HTTPRequest, with token: AccessToken) async throws

  /// Returns whether to authorize the request again and repeat it.
  ///
  /// The method receives every response from the request's own origin, with any status. It can store values for the next request, such as a
  /// nonce ([RFC 9449 § 9](https://www.rfc-editor.org/rfc/rfc9449.html#section-9)). If it returns `true`, the token is not considered
  /// rejected. A request is repeated once, and if this method returns `true` again, up to three more times in turn with other requests.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent.
  ///   - response: The response to it.
  /// - Returns: Whether to repeat the request. The default implementation returns `false`.
  func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) async -> Bool
}

extension TokenPresentation {
  /// Returns `false`.
  public func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) async -> Bool { false }
}

/// A token presentation for bearer tokens in the `Authorization` field
/// ([RFC 6750 § 2.1](https://www.rfc-editor.org/rfc/rfc6750.html#section-2.1)).
public struct BearerPresentation: TokenPresentation, Hashable {
  /// Creates the presentation.
  public init() {}

  /// Sets the `Authorization` field.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` if the token is not a bearer token.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    // RFC 6749 § 5.1: the type is case-insensitive. Nearly every server writes it in one of these ways.
    guard token.type == "Bearer" || token.type.lowercasedASCII == "bearer" else {
      throw OAuthError(
        .unsupportedTokenType,
        "The access token is of type \"\(OAuthError.printable(token.type, limit: 32))\", not Bearer. Use a token presentation for this type."
      )
    }
    request.fields["Authorization"] = "Bearer \(token.value.reveal())"
  }
}

extension TokenPresentation where Self == BearerPresentation {
  /// The presentation in the `Authorization` field, for bearer tokens.
  public static var bearer: BearerPresentation { BearerPresentation() }
}

/// A token presentation that follows the token's type: `Bearer`, or `DPoP` with a proof of possession.
///
/// See ``BearerPresentation`` and ``DPoPPresentation``. Copies share the servers' nonces.
public struct AutomaticPresentation: TokenPresentation {
  private let proof: DPoPPresentation

  /// Creates the presentation.
  ///
  /// - Parameter clock: The clock for the time in proofs.
  public init(clock: some WallClock = SystemClock()) { proof = DPoPPresentation(clock: clock) }

  /// Sets the fields required by the token's type.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` if the token's type is neither `Bearer` nor `DPoP`, or
  ///   with code ``OAuthError/Code/signInRequired`` if the key of a bound token is missing or damaged.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    if token.isBound {
      try proof.authorize(&request, with: token)
    } else {
      try BearerPresentation().authorize(&request, with: token)
    }
  }

  /// Returns whether a request was rejected only because its proof lacks the server's nonce or has the wrong time.
  public func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
    proof.shouldRetry(request, after: response)
  }
}

extension TokenPresentation where Self == AutomaticPresentation {
  /// The presentation required by the token's type, for bearer and DPoP-bound tokens.
  ///
  /// Proofs use the time of the system's clock.
  public static var automatic: AutomaticPresentation { AutomaticPresentation() }

  /// Returns the presentation required by the token's type, for bearer and DPoP-bound tokens.
  ///
  /// - Parameter clock: The clock for the time in proofs.
  public static func automatic(clock: some WallClock) -> AutomaticPresentation { AutomaticPresentation(clock: clock) }
}
