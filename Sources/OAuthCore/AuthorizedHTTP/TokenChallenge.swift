// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthScope
public import PlatformFoundation

/// A protected resource's `WWW-Authenticate` challenge
/// ([RFC 6750 § 3](https://www.rfc-editor.org/rfc/rfc6750.html#section-3)).
///
/// ```swift
/// if let challenge = TokenChallenge(response), challenge.reason == .insufficientScope {
///   try await account.authorize(adding: challenge.scopes)
/// }
/// ```
public struct TokenChallenge: Sendable, Hashable {
  /// The reason why a resource rejected a token.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The value of `error`.
    public let rawValue: String

    /// Creates a reason with a code defined by the server.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request is malformed, such as one with two tokens.
    public static let invalidRequest = Reason(rawValue: "invalid_request")
    /// The token has expired, was revoked, or belongs to another server.
    public static let invalidToken = Reason(rawValue: "invalid_token")
    /// The token lacks scopes.
    ///
    /// ``TokenChallenge/scopes`` contains the required ones.
    public static let insufficientScope = Reason(rawValue: "insufficient_scope")
    /// The resource requires a more recent or stronger authentication of the user
    /// ([RFC 9470 § 3](https://www.rfc-editor.org/rfc/rfc9470.html#section-3)).
    public static let insufficientUserAuthentication = Reason(rawValue: "insufficient_user_authentication")
  }

  /// The scheme of the challenge, such as `Bearer`.
  public let scheme: String
  /// The reason why the token was rejected, or `nil` if the challenge contains none, such as for a request without a token.
  public let reason: Reason?
  /// The server's explanation, for developers, reduced to printable characters.
  public let explanation: String?
  /// The required scopes.
  public let scopes: [Scope]
  /// The accepted authentication context classes, the preferred one first.
  public let acrValues: [String]
  /// The maximum age of the user's authentication.
  public let maximumAge: Duration?
  /// The URL of the resource's metadata ([RFC 9728 § 5.1](https://www.rfc-editor.org/rfc/rfc9728.html#section-5.1)), or
  /// `nil` if it is neither https nor loopback.
  public let resourceMetadata: URL?

  /// Creates a value from the challenge of a response, or returns `nil` without a challenge of the scheme `Bearer` or `DPoP`.
  public init?(_ response: HTTPResponse) {
    let challenges = response.fields.authenticationChallenges.prefix(ServerLimits.elements).filter {
      $0.hasScheme("Bearer") || $0.hasScheme("DPoP")
    }
    // A server can offer both schemes and name the error in only one of them.
    guard let challenge = challenges.first(where: { $0["error"] != nil }) ?? challenges.first else { return nil }
    self.init(challenge)
  }

  /// Creates a value from a parsed challenge.
  public init(_ challenge: AuthenticationChallenge) {
    let list = { (name: String) in ServerLimits.bounded(challenge[name]?.split(ascii: " ").map(String.init) ?? []) }
    scheme = challenge.scheme
    reason = challenge["error"].map { Reason(rawValue: $0) }
    explanation = challenge["error_description"].map { OAuthError.printable($0, limit: 300) }
    scopes = list("scope").map { Scope($0) }
    acrValues = list("acr_values")
    maximumAge = challenge["max_age"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : .seconds($0) }
    resourceMetadata = challenge["resource_metadata"].flatMap { URL(string: $0) }.flatMap {
      Origin($0)?.isSecure == true ? $0 : nil
    }
  }

  /// The challenge as an error, for a caller that does not sign in again.
  ///
  /// The code is ``OAuthError/Code/insufficientAuthentication`` if the user must authenticate again, else
  /// ``OAuthError/Code/requestRejected``.
  public var error: OAuthError {
    let code = reason?.rawValue
    return OAuthError(
      reason == .insufficientUserAuthentication ? .insufficientAuthentication : .requestRejected,
      code.map { OAuthError.withAdvice("The API refused the request", for: $0) }
        ?? "The API requires an access token. Sign in.", serverCode: code, serverDescription: explanation)
  }

  /// The parameters of an authorization request that satisfies the challenge
  /// ([RFC 9470 § 4](https://www.rfc-editor.org/rfc/rfc9470.html#section-4)).
  public var parameters: AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.acrValues = acrValues
    parameters.maximumAge = maximumAge
    return parameters
  }
}
