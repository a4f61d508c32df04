// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
public import TokenStore

/// A logout that waits for its callback.
///
/// `OAuthAccount.beginLogout(redirectURI:logoutHint:sendingIDToken:revoking:)` and `OAuthClient.beginLogout` return it. Keep it in the
/// session of the user's browser, in its `Codable` form, which does not contain an ID token.
public struct PendingLogout: Sendable, Hashable {
  /// The URL to show the user.
  ///
  /// If the caller requested it, the URL contains the ID token, which identifies the user: redirect to the URL, and do not log it. After
  /// encoding and decoding, the URL does not contain the ID token.
  public let logoutURL: URL
  let urlWithoutIDToken: URL
  /// The redirect URI, or `nil` if the user does not return.
  public let redirectURI: URL?
  /// The one-time value required in the callback, or `nil` if there is no callback.
  public let state: Secret?
  /// The issuer the request is for.
  public let issuer: String
}

extension PendingLogout: Codable {
  private enum CodingKeys: String, CodingKey { case logoutURL, redirectURI, state, issuer }

  /// Encodes the value, including ``state`` and without the ID token, for a session that outlives the process.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(urlWithoutIDToken, forKey: .logoutURL)
    try container.encodeIfPresent(redirectURI, forKey: .redirectURI)
    try container.encodeIfPresent(state?.reveal(), forKey: .state)
    try container.encode(issuer, forKey: .issuer)
  }

  /// Decodes a value written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    logoutURL = try container.decode(URL.self, forKey: .logoutURL)
    urlWithoutIDToken = logoutURL
    redirectURI = try container.decodeIfPresent(URL.self, forKey: .redirectURI)
    state = try container.decodeIfPresent(String.self, forKey: .state).map { Secret($0) }
    issuer = try container.decode(String.self, forKey: .issuer)
  }
}

extension PendingLogout: CustomStringConvertible, CustomReflectable {
  /// The issuer, without any secret.
  public var description: String { "logout pending at \(issuer)" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer]) }
}
