// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping
import TokenStore

/// The successful response of a token endpoint ([RFC 6749 § 5.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.1)).
struct TokenResponse {
  /// The key of the proof in the request, which the tokens may be bound to.
  var proofKey: ProofKey?
  private let response: EndpointResponse
  private let accessToken: String
  /// The type of the access token; `Bearer` for the server's own names of bearer tokens.
  private let tokenType: String
  /// The granted scopes; `nil` if the response omits them.
  private let scopes: [String]?
  private let receivedAt: Timestamp
  private let serverTime: Timestamp?

  /// Creates a value from a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(_ response: EndpointResponse, from server: ServerMetadata, receivedAt: Timestamp, quirks: Provider.Quirks) throws
  {
    let endpoint = "the token endpoint of \(server.name)"
    // Only the access token is required. A failure due to another malformed member would lose the tokens.
    guard let accessToken = response["access_token"]?.string else {
      throw OAuthError(
        .invalidResponse,
        "The response of \(endpoint) contains no access token. Check the endpoint's URL, and that no proxy or login page responds instead."
      )
    }
    guard !accessToken.isEmpty else {
      throw OAuthError(.invalidResponse, "The response of \(endpoint) contains an empty access token.")
    }
    // Some servers send an array.
    let lists = response["scope"].flatMap { scope in scope.string.map { [$0] } ?? scope.strings }
    scopes = lists.map { lists in
      ServerLimits.bounded(
        lists.flatMap { list in
          (quirks.grantedScopeSeparator.map { list.replacing($0, with: " ") } ?? list).split(ascii: " ").map(
            String.init)
        })
    }
    // Some servers omit the type.
    let type = response["token_type"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer"
    tokenType = quirks.bearerTokenTypes.contains(type.lowercasedASCII) ? "Bearer" : type
    self.accessToken = accessToken
    self.response = response
    self.receivedAt = receivedAt
    serverTime = response.response.fields["Date"].flatMap(HTTPDate.parse)
  }

  /// Whether the access token is a bearer token.
  var isBearer: Bool { tokenType.lowercasedASCII == "bearer" }

  /// Whether the access token is bound to a key.
  var isBound: Bool { tokenType.isBoundTokenType }

  /// The string of a member that only one grant defines; `nil` if there is none.
  subscript(name: String) -> String? { response[name]?.string }

  /// Returns the record to store, with the expiry by the server's clock.
  ///
  /// If the response omits the scopes, they are the requested ones. A token of an unknown type is stored; the transport rejects it.
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
    // RFC 9449 § 5: the refresh token can be bound even if the access token is not.
    stored.proofKey = proofKey
    return stored
  }

  /// The authorization details as JSON text; `nil` if they are missing, malformed or too many.
  private var authorizationDetails: String? {
    guard let details = response["authorization_details"], let list = details.array,
      list.count <= ServerLimits.elements,
      list.allSatisfy({ $0["type"]?.string != nil })
    else { return nil }
    return String(decoding: details.json(), as: UTF8.self)
  }
}

/// A number of seconds in a response, as a JSON number or string, with or without a fraction.
struct ReportedDuration: Decodable {
  /// The number as a duration; `nil` if it is malformed.
  let duration: Duration?
  /// The number as seconds since 1970; `nil` if it is malformed.
  let absolute: Timestamp?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init((try? container.decode(Double.self)) ?? (try? container.decode(String.self)).flatMap(Double.init))
  }

  init(_ value: JSONValue) {
    self.init(value.string.flatMap(Double.init) ?? value.number.flatMap { $0.double.isFinite ? $0.double : nil })
  }

  private init(_ seconds: Double?) {
    // The limit of ten years prevents an overflow of sums.
    duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
    absolute = seconds.flatMap { Int64(exactly: $0.rounded(.down)) }.map { Timestamp(secondsSince1970: $0) }
  }
}
