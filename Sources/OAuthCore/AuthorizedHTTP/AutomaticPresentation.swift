// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import Timekeeping

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
