import HTTPTransport
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The successful answer of a token endpoint ([RFC 6749 § 5.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.1)).
struct TokenResponse {
  private let content: Content
  private let receivedAt: Timestamp
  private let serverTime: Timestamp?

  private struct Content: Decodable {
    let accessToken: String
    let tokenType: String?
    let expiresIn: Lifetime?
    let refreshToken: String?
    let scopes: [String]?
    let idToken: String?

    enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case tokenType = "token_type"
      case expiresIn = "expires_in"
      case refreshToken = "refresh_token"
      case scope
      case idToken = "id_token"
    }

    /// Only the access token has to be right: an odd member beside it must not cost the refresh token that was spent for it.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
      accessToken = try container.decode(String.self, forKey: .accessToken)
      tokenType = text(.tokenType)
      expiresIn = try? container.decodeIfPresent(Lifetime.self, forKey: .expiresIn)
      refreshToken = text(.refreshToken)
      // Some servers send a list.
      scopes =
        text(.scope)?.split(separator: " ").map(String.init) ?? (try? container.decode([String].self, forKey: .scope))
      idToken = text(.idToken)
    }
  }

  /// Seconds as a number or as a string, whole or not; anything else counts as not said.
  private struct Lifetime: Decodable {
    let duration: Duration?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let seconds = (try? container.decode(Double.self)) ?? (try? container.decode(String.self)).flatMap(Double.init)
      // Ten years stand for every absurd lifetime, so that no sum overflows.
      duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
    }
  }

  /// Reads an answer.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(_ response: HTTPResponse, receivedAt: Timestamp) throws {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(response.body)) else {
      throw OAuthError(
        .invalidResponse, "The token endpoint's answer is not the JSON that RFC 6749 § 5.1 describes. Try again later.")
    }
    guard !content.accessToken.isEmpty else {
      throw OAuthError(.invalidResponse, "The token endpoint's answer holds an empty access token.")
    }
    guard (content.tokenType ?? "Bearer").lowercasedASCII == "bearer" else {
      throw OAuthError(.invalidResponse, "The server gave a token of a type that is not Bearer.")
    }
    self.content = content
    self.receivedAt = receivedAt
    serverTime = response.fields["Date"].flatMap(HTTPDate.parse)
  }

  /// The record to store: expiry by the server's clock, scopes as asked for where the answer names none.
  func stored(requestedScopes: [String], issuer: String) -> StoredToken {
    StoredToken(
      accessToken: Secret(content.accessToken),
      tokenType: content.tokenType ?? "Bearer",
      expiresAt: content.expiresIn?.duration.map { (serverTime ?? receivedAt) + $0 },
      serverClockOffset: serverTime.map { $0 - receivedAt } ?? .zero,
      refreshToken: content.refreshToken.flatMap { $0.isEmpty ? nil : Secret($0) },
      scopes: content.scopes ?? requestedScopes,
      idToken: content.idToken.map { Secret($0) },
      issuer: issuer)
  }
}
