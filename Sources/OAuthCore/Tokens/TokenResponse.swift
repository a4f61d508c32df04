// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The successful response of a token endpoint ([RFC 6749 § 5.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.1)).
struct TokenResponse {
  /// The key that a proof was sent of, and that the tokens may be bound to.
  var proofKey: ProofKey?
  private let content: Content
  private let body: [UInt8]
  /// The type of the access token, as sent unless the server has a name of its own for a bearer token.
  private let tokenType: String
  /// The scopes that were granted; `nil` if the response does not say.
  private let scopes: [String]?
  private let receivedAt: Timestamp
  private let serverTime: Timestamp?

  private struct Content: Decodable {
    let accessToken: String
    let tokenType: String?
    let expiresIn: ReportedDuration?
    let refreshToken: String?
    /// The scopes as sent: a string, or a list of strings.
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
      expiresIn = try? container.decodeIfPresent(ReportedDuration.self, forKey: .expiresIn)
      refreshToken = text(.refreshToken)
      // Some servers send a list.
      scopes = text(.scope).map { [$0] } ?? (try? container.decode([String].self, forKey: .scope))
      idToken = text(.idToken)
    }

    /// Reads a form, as some servers send that are older than the specification.
    init?(form: FormFields) {
      guard let accessToken = form["access_token"] else { return nil }
      self.accessToken = accessToken
      tokenType = form["token_type"]
      expiresIn = form["expires_in"].map { ReportedDuration($0) }
      refreshToken = form["refresh_token"]
      scopes = form["scope"].map { [$0] }
      idToken = form["id_token"]
    }
  }

  /// Reads a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(_ response: HTTPResponse, from server: ServerMetadata, receivedAt: Timestamp, quirks: Provider.Quirks) throws {
    let endpoint = "the token endpoint of \(server.name)"
    let json = try? JSONDecoder().decode(Content.self, from: Data(response.body))
    guard let content = json ?? response.form(quirks).flatMap({ Content(form: $0) }) else {
      throw OAuthError(
        .invalidResponse,
        "The response of \(endpoint) holds no token. Check the endpoint's URL, and that no proxy or login page responds in its place."
      )
    }
    guard !content.accessToken.isEmpty else {
      throw OAuthError(.invalidResponse, "The response of \(endpoint) holds an empty access token.")
    }
    scopes = content.scopes?.flatMap { list in
      (quirks.grantedScopeSeparator.map { list.replacing($0, with: " ") } ?? list).split(separator: " ").map(
        String.init)
    }
    // Some servers do not send it.
    let type = content.tokenType.flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer"
    tokenType = quirks.bearerTokenTypes.contains(type.lowercasedASCII) ? "Bearer" : type
    self.content = content
    body = response.body
    self.receivedAt = receivedAt
    serverTime = response.fields["Date"].flatMap(HTTPDate.parse)
  }

  /// Whether the access token is of use to anyone who has it.
  var isBearer: Bool { tokenType.lowercasedASCII == "bearer" }

  /// Whether the access token is bound to a key.
  var isBound: Bool { tokenType.isBoundTokenType }

  /// Returns members that only one grant has; `nil` if they are not as described.
  func members<Members: Decodable>(_ type: Members.Type) -> Members? {
    try? JSONDecoder().decode(type, from: Data(body))
  }

  /// The record to store: expiry by the server's clock, scopes as requested where the response names none.
  ///
  /// A token of a type that this package does not know is kept; the transport that would present it refuses it.
  func stored(requestedScopes: [String], by client: OAuthClient) -> StoredToken {
    var stored = StoredToken(
      accessToken: Secret(content.accessToken),
      tokenType: tokenType,
      expiresAt: content.expiresIn?.duration.map { (serverTime ?? receivedAt) + $0 },
      issuedAt: serverTime ?? receivedAt,
      serverClockOffset: serverTime.map { $0 - receivedAt } ?? .zero,
      refreshToken: content.refreshToken.flatMap { $0.isEmpty ? nil : Secret($0) },
      scopes: scopes ?? requestedScopes,
      idToken: content.idToken.map { Secret($0) },
      issuer: client.server.issuer,
      clientID: client.registration.clientID)
    stored.authorizationDetails = members(GrantedDetails.self)?.text
    // RFC 9449 § 5: a refresh token is bound also beside an access token that is not.
    stored.proofKey = proofKey
    return stored
  }

  private struct GrantedDetails: Decodable {
    let text: String?

    private enum CodingKeys: String, CodingKey { case details = "authorization_details" }

    init(from decoder: any Decoder) throws {
      let details = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
        [AuthorizationDetail].self, forKey: .details)
      text = try details.map { String(decoding: try JSONText.encode($0), as: UTF8.self) }
    }
  }
}

/// Seconds as a server writes them: a number or a string, whole or not; anything else counts as not said.
struct ReportedDuration: Decodable {
  let duration: Duration?
  /// The instant that the number of seconds since 1970 means.
  let absolute: Timestamp?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init((try? container.decode(Double.self)) ?? (try? container.decode(String.self)).flatMap(Double.init))
  }

  init(_ text: String) { self.init(Double(text)) }

  private init(_ seconds: Double?) {
    // Ten years stand for every absurd lifetime, so that no sum overflows.
    duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
    absolute = seconds.flatMap { Int64(exactly: $0.rounded(.down)) }.map { Timestamp(secondsSince1970: $0) }
  }
}
