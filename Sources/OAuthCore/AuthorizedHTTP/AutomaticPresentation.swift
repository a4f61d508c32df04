// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import Timekeeping

/// Presents a token as its type requires: in the `Authorization` field alone, or with a proof of the key that it is bound to.
///
/// See ``BearerPresentation`` and ``DPoPPresentation``. Copies share the nonces of the servers.
public struct AutomaticPresentation: TokenPresentation {
  private let proof: DPoPPresentation

  /// Creates the method.
  ///
  /// - Parameter clock: The clock that proofs are dated by.
  public init(clock: some WallClock = SystemClock()) { proof = DPoPPresentation(clock: clock) }

  /// Sets the fields that the type of the token requires.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType`` for a token of a type that is neither `Bearer` nor
  ///   `DPoP`, or ``OAuthError/Code/signInRequired`` if the key of a bound token is missing or damaged.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    if token.isBound {
      try proof.authorize(&request, with: token)
    } else {
      try BearerPresentation().authorize(&request, with: token)
    }
  }

  /// Says whether a request was refused only for what its proof lacks.
  public func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
    proof.shouldRetry(request, after: response)
  }
}

extension TokenPresentation where Self == AutomaticPresentation {
  /// The token as its type requires, for bearer tokens and those that are bound to a key.
  ///
  /// Proofs are dated by the system's clock.
  public static var automatic: AutomaticPresentation { AutomaticPresentation() }

  /// The token as its type requires, for bearer tokens and those that are bound to a key.
  ///
  /// - Parameter clock: The clock that proofs are dated by.
  public static func automatic(clock: some WallClock) -> AutomaticPresentation { AutomaticPresentation(clock: clock) }
}
