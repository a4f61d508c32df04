// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a protected resource says that a request lacks, from its `WWW-Authenticate` challenge
/// ([RFC 6750 § 3](https://www.rfc-editor.org/rfc/rfc6750.html#section-3)).
///
/// ```swift
/// if let demand = TokenChallenge(response), demand.reason == .insufficientScope {
///   try await account.authorize(adding: demand.scopes)
/// }
/// ```
public struct TokenChallenge: Sendable, Hashable {
  /// Why a token was not accepted.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The value of `error`.
    public let rawValue: String

    /// Creates a reason of the server's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request is malformed, such as one with two tokens.
    public static let invalidRequest = Reason(rawValue: "invalid_request")
    /// The token has expired, was revoked, or is not one of the server.
    public static let invalidToken = Reason(rawValue: "invalid_token")
    /// The token has too few scopes; ``TokenChallenge/scopes`` has those that are needed.
    public static let insufficientScope = Reason(rawValue: "insufficient_scope")
    /// The user has to authenticate again, or more strongly
    /// ([RFC 9470 § 3](https://www.rfc-editor.org/rfc/rfc9470.html#section-3)).
    public static let insufficientUserAuthentication = Reason(rawValue: "insufficient_user_authentication")
  }

  /// The scheme of the challenge, such as `Bearer`.
  public let scheme: String
  /// Why the token was not accepted; `nil` if there was none.
  public let reason: Reason?
  /// The server's explanation, for developers, reduced to printable characters.
  public let explanation: String?
  /// The scopes that are needed.
  public let scopes: [String]
  /// The authentication context classes of which one is needed, the preferred one first.
  public let acrValues: [String]
  /// How long ago the user may have signed in.
  public let maximumAge: Duration?
  /// Where the metadata of the resource are
  /// ([RFC 9728 § 5.1](https://www.rfc-editor.org/rfc/rfc9728.html#section-5.1)); `nil` for one that is not https or loopback.
  public let resourceMetadata: URL?

  /// Reads the challenge of a response; `nil` if it has none of the scheme `Bearer` or `DPoP`.
  public init?(_ response: HTTPResponse) {
    let challenges = response.fields.authenticationChallenges.filter { $0.isScheme("Bearer") || $0.isScheme("DPoP") }
    // A server may offer both, and say why in one of them.
    guard let challenge = challenges.first(where: { $0["error"] != nil }) ?? challenges.first else { return nil }
    self.init(challenge)
  }

  /// Reads a challenge.
  public init(_ challenge: AuthenticationChallenge) {
    let list = { (name: String) in challenge[name]?.split(separator: " ").map(String.init) ?? [] }
    scheme = challenge.scheme
    reason = challenge["error"].map { Reason(rawValue: $0) }
    explanation = challenge["error_description"].map { OAuthError.printable($0, limit: 300) }
    scopes = list("scope")
    acrValues = list("acr_values")
    maximumAge = challenge["max_age"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : .seconds($0) }
    resourceMetadata = challenge["resource_metadata"].flatMap { URL(string: $0) }.flatMap {
      Origin($0)?.isSecure == true ? $0 : nil
    }
  }

  /// The demand as an error, for a caller that does not sign in again: ``OAuthError/Code/insufficientAuthentication`` if the
  /// user has to authenticate again, else ``OAuthError/Code/requestRejected``.
  public var error: OAuthError {
    let code = reason?.rawValue
    return OAuthError(
      reason == .insufficientUserAuthentication ? .insufficientAuthentication : .requestRejected,
      code.map { OAuthError.withAdvice("The API refused the request", for: $0) }
        ?? "The API requires an access token. Sign in.", serverCode: code, serverDescription: explanation)
  }

  /// The parameters of an authorization request that does what is needed
  /// ([RFC 9470 § 4](https://www.rfc-editor.org/rfc/rfc9470.html#section-4)).
  public var parameters: AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.acrValues = acrValues
    parameters.maximumAge = maximumAge
    return parameters
  }
}
