// SPDX-License-Identifier: Apache-2.0

public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What has to be remembered between sending the user to the server to sign out and their return.
///
/// `OAuthAccount.beginLogout(redirectURI:logoutHint:sendingIDToken:revoking:)` and `OAuthClient.beginLogout` make it. It is `Codable`,
/// to be kept in the session of the user's browser; an ID token is not written.
public struct PendingLogout: Sendable, Hashable {
  /// The URL to show the user.
  ///
  /// If the caller chose to send an ID token, the URL contains it, and with it the user's identity: use the URL for a redirect, and do
  /// not log it. A value that was encoded and decoded has the URL without the ID token.
  public let logoutURL: URL
  let urlWithoutIDToken: URL
  /// Where the server sends the user back to; `nil` if it does not.
  public let redirectURI: URL?
  /// The one-time value that the callback must carry; `nil` if there is no callback.
  public let state: Secret?
  /// The issuer that was asked.
  public let issuer: String
}

extension PendingLogout: Codable {
  private enum CodingKeys: String, CodingKey { case logoutURL, redirectURI, state, issuer }

  /// Writes the value, ``state`` included and without the ID token, for a session that outlives the process.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(urlWithoutIDToken, forKey: .logoutURL)
    try container.encodeIfPresent(redirectURI, forKey: .redirectURI)
    try container.encodeIfPresent(state?.reveal(), forKey: .state)
    try container.encode(issuer, forKey: .issuer)
  }

  /// Reads what ``encode(to:)`` has written.
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
  /// The issuer, and nothing that is secret.
  public var description: String { "logout pending at \(issuer)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer]) }
}
