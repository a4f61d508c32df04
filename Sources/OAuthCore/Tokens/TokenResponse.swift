// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping
import TokenStore

/// The successful response of a token endpoint ([RFC 6749 § 5.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.1)).
struct TokenResponse {
  /// The key that a proof was sent of, and that the tokens may be bound to.
  var proofKey: ProofKey?
  private let response: EndpointResponse
  private let accessToken: String
  /// The type of the access token, as sent unless the server has a name of its own for a bearer token.
  private let tokenType: String
  /// The scopes that were granted; `nil` if the response does not say.
  private let scopes: [String]?
  private let receivedAt: Timestamp
  private let serverTime: Timestamp?

  /// Reads a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(_ response: EndpointResponse, from server: ServerMetadata, receivedAt: Timestamp, quirks: Provider.Quirks) throws
  {
    let endpoint = "the token endpoint of \(server.name)"
    // Only the access token has to be right: an odd member beside it must not cost the refresh token that was spent for it.
    guard let accessToken = response["access_token"]?.string else {
      throw OAuthError(
        .invalidResponse,
        "The response of \(endpoint) holds no token. Check the endpoint's URL, and that no proxy or login page responds in its place."
      )
    }
    guard !accessToken.isEmpty else {
      throw OAuthError(.invalidResponse, "The response of \(endpoint) holds an empty access token.")
    }
    // Some servers send a list.
    let lists = response["scope"].flatMap { scope in scope.string.map { [$0] } ?? scope.strings }
    scopes = lists?.flatMap { list in
      (quirks.grantedScopeSeparator.map { list.replacing($0, with: " ") } ?? list).split(separator: " ").map(
        String.init)
    }
    // Some servers do not send it.
    let type = response["token_type"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer"
    tokenType = quirks.bearerTokenTypes.contains(type.lowercasedASCII) ? "Bearer" : type
    self.accessToken = accessToken
    self.response = response
    self.receivedAt = receivedAt
    serverTime = response.response.fields["Date"].flatMap(HTTPDate.parse)
  }

  /// Whether the access token is of use to anyone who has it.
  var isBearer: Bool { tokenType.lowercasedASCII == "bearer" }

  /// Whether the access token is bound to a key.
  var isBound: Bool { tokenType.isBoundTokenType }

  /// The text of a member that only one grant has; `nil` if there is none.
  subscript(name: String) -> String? { response[name]?.string }

  /// The record to store: expiry by the server's clock, scopes as requested where the response names none.
  ///
  /// A token of a type that this package does not know is kept; the transport that would present it refuses it.
  func stored(requestedScopes: [String], by client: OAuthClient) -> StoredToken {
    var stored = StoredToken(
      accessToken: Secret(accessToken),
      tokenType: tokenType,
      expiresAt: response["expires_in"].flatMap { ReportedDuration($0).duration }.map {
        (serverTime ?? receivedAt) + $0
      },
      issuedAt: serverTime ?? receivedAt,
      serverClockOffset: serverTime.map { $0 - receivedAt } ?? .zero,
      refreshToken: self["refresh_token"].flatMap { $0.isEmpty ? nil : Secret($0) },
      scopes: scopes ?? requestedScopes,
      idToken: self["id_token"].map { Secret($0) },
      issuer: client.server.issuer,
      clientID: client.registration.clientID)
    stored.authorizationDetails = authorizationDetails
    // RFC 9449 § 5: a refresh token is bound also beside an access token that is not.
    stored.proofKey = proofKey
    return stored
  }

  /// The authorization details as JSON text; `nil` if the response names none, or other things in their place.
  private var authorizationDetails: String? {
    guard let details = response["authorization_details"], let list = details.array,
      list.allSatisfy({ $0["type"]?.string != nil })
    else { return nil }
    return String(decoding: details.json(), as: UTF8.self)
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

  init(_ value: JSONValue) {
    self.init(value.string.flatMap(Double.init) ?? value.number.flatMap { $0.double.isFinite ? $0.double : nil })
  }

  private init(_ seconds: Double?) {
    // Ten years stand for every absurd lifetime, so that no sum overflows.
    duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
    absolute = seconds.flatMap { Int64(exactly: $0.rounded(.down)) }.map { Timestamp(secondsSince1970: $0) }
  }
}
