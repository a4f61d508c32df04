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
  /// The type of the access token, `Bearer` for the server's own names of bearer tokens.
  private let tokenType: String
  /// The granted scopes, or `nil` if the response omits them.
  ///
  /// An empty list counts as omitted ([RFC 6749 § 3.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3) allows none).
  private let scopes: [Scope]?
  private let receivedAt: Timestamp
  private let serverTime: Timestamp?

  /// Creates a value from a response.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  init(_ response: EndpointResponse, from server: ServerMetadata, receivedAt: Timestamp, quirks: Provider.Quirks) throws
  {
    let endpoint = "the token endpoint of \(server.name)"
    // Only the access token is required. If another malformed member were an error, the tokens would be lost.
    guard let accessToken = response["access_token"]?.string else {
      throw OAuthError(
        .invalidResponse,
        "The response of \(endpoint) contains no access token. Check the endpoint's URL, and that no proxy or login page responds instead."
      )
    }
    // Some servers send an array.
    let lists = response["scope"].flatMap { scope in scope.string.map { [$0] } ?? scope.strings }
    let granted = lists.map { lists in
      ServerLimits.bounded(
        lists.flatMap { list in
          (quirks.grantedScopeSeparator.map { list.replacing($0, with: " ") } ?? list).split(ascii: " ").map(
            String.init)
        })
    }
    scopes = granted?.isEmpty == true ? nil : granted?.map { Scope($0) }
    // Some servers omit the type.
    let type = response["token_type"]?.string ?? "Bearer"
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

  /// The string of a member defined by only one grant, or `nil` if there is none.
  subscript(name: String) -> String? { response[name]?.string }

  /// Returns the record to store, with the expiry by the server's clock.
  ///
  /// If the response omits the scopes, they are the requested ones. A token of an unknown type is stored, but rejected
  /// by the transport.
  func stored(requestedScopes: [Scope], by client: OAuthClient) -> StoredToken {
    StoredToken(
      accessToken: Secret(accessToken),
      expiresAt: response["expires_in"].flatMap { ReportedDuration($0).duration }.map {
        (serverTime ?? receivedAt) + $0
      },
      refreshToken: self["refresh_token"].map { Secret($0) },
      scopes: scopes ?? requestedScopes,
      issuer: client.server.issuer,
      clientID: client.registration.clientID
    ) {
      $0.idToken = self["id_token"].map { Secret($0) }
      $0.tokenType = tokenType
      $0.issuedAt = serverTime ?? receivedAt
      $0.serverClockOffset = serverTime.map { $0 - receivedAt } ?? .zero
      $0.authorizationDetails = authorizationDetails
      // RFC 9449 § 5: the refresh token can be bound even if the access token is not.
      $0.proofKey = proofKey
    }
  }

  /// The authorization details as JSON text, or `nil` if they are missing, malformed or too many.
  private var authorizationDetails: String? {
    guard let details = response["authorization_details"], let list = details.array,
      list.count <= ServerLimits.elements,
      list.allSatisfy({ $0["type"]?.string != nil })
    else { return nil }
    return String(decoding: details.json(), as: UTF8.self)
  }
}

/// A number of seconds in a response, as a JSON number or a string of one, with or without a fraction.
///
/// Servers write `0` for an absent number, in lifetimes, intervals and times alike.
struct ReportedDuration: Decodable {
  /// The number as a duration, or `nil` if it is absent or malformed.
  let duration: Duration?
  /// The number as seconds since 1970, or `nil` if it is absent or malformed.
  let absolute: Timestamp?

  init(from decoder: any Decoder) throws {
    try self.init(JSONValue(from: decoder))
  }

  init(_ value: JSONValue) {
    // `Double.init` would accept texts that JSON does not have, such as 0x10 and infinity.
    let number = value.string.map { Array($0.utf8) }.flatMap { try? JSONValue(json: $0) }?.number ?? value.number
    let seconds = number.flatMap { $0.double.isFinite && $0.double != 0 ? $0.double : nil }
    // The limit of ten years prevents an overflow of sums.
    duration = seconds.flatMap { $0.isNaN ? nil : .seconds(min(max($0, 0), 315_360_000)) }
    absolute = seconds.flatMap { Int64(exactly: $0.rounded(.down)) }.map { Timestamp(secondsSince1970: $0) }
  }
}
