// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
public import OAuthScope
import PlatformFoundation
public import Timekeeping
public import TokenStore

/// The state of a token at its server ([RFC 7662 § 2.2](https://www.rfc-editor.org/rfc/rfc7662.html#section-2.2)).
///
/// Only ``isActive`` is always present. For an inactive token, the other properties are `nil` or empty.
public struct TokenIntrospection: Sendable, Hashable {
  /// Whether the token was issued by the server, has not expired and was not revoked.
  public let isActive: Bool
  /// The scopes of the token.
  public let scopes: [Scope]
  /// The identifier of the client the token was issued to, `client_id`.
  public let clientID: String?
  /// The name of the user who authorized the token, for display.
  public let username: String?
  /// The token's type, `token_type`.
  public let tokenType: String?
  /// The expiry of the token, `exp`.
  public let expiresAt: Timestamp?
  /// The time of issue, `iat`.
  public let issuedAt: Timestamp?
  /// The earliest time when the token can be used, `nbf`.
  public let notBefore: Timestamp?
  /// The subject of the token, usually the user's identifier, `sub`.
  public let subject: String?
  /// The services the token is for, `aud`.
  public let audience: [String]
  /// The issuer of the token, `iss`.
  public let issuer: String?
  /// The unique identifier of the token, `jti`.
  public let tokenID: String?

  private let body: [UInt8]

  /// Returns the response decoded as `type`, such as for members defined by the server.
  ///
  /// - Throws: `DecodingError` if the response does not match the type.
  public func decode<Members: Decodable>(_ type: Members.Type) throws -> Members {
    try JSONDecoder().decode(type, from: Data(body))
  }
}

extension TokenIntrospection {
  /// Creates a value from a response, or returns `nil` if the response has no valid member `active`.
  ///
  /// Other malformed members are ignored.
  init?(_ response: EndpointResponse) {
    guard let isActive = response["active"]?.bool else { return nil }
    // § 2.2: other members are not reliable for an inactive token.
    func member(_ name: String) -> JSONValue? { isActive ? response[name] : nil }
    func time(_ name: String) -> Timestamp? { member(name).flatMap { ReportedDuration($0).absolute } }
    self.init(
      isActive: isActive,
      // Some servers send an array, as in token responses.
      scopes: ServerLimits.bounded(
        member("scope")?.string?.split(ascii: " ").map(String.init) ?? member("scope")?.strings ?? []
      ).map { Scope($0) },
      clientID: member("client_id")?.string, username: member("username")?.string,
      tokenType: member("token_type")?.string, expiresAt: time("exp"), issuedAt: time("iat"), notBefore: time("nbf"),
      subject: member("sub")?.string,
      audience: ServerLimits.bounded(member("aud")?.string.map { [$0] } ?? member("aud")?.strings ?? []),
      issuer: member("iss")?.string,
      tokenID: member("jti")?.string, body: response.response.body)
  }
}

extension TokenIntrospection: CustomStringConvertible, CustomReflectable {
  /// A description that contains only whether the token is active.
  public var description: String { isActive ? "active token" : "inactive token" }
  /// A mirror for debugging, without the user's identity.
  public var customMirror: Mirror { Mirror(self, children: ["isActive": isActive, "scopes": scopes]) }
}

extension OAuthClient {
  /// Requests the state of a token from the server ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662.html)).
  ///
  /// Use it in a service that receives tokens and cannot verify them itself. The client authenticates as at the token endpoint. The
  /// response describes the time of the request: the token can be revoked afterwards.
  ///
  /// - Parameters:
  ///   - token: The token to inspect.
  ///   - hint: The type of the token, for the server's lookup.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/unsupported`` if the server has no introspection endpoint,
  ///   or with code ``OAuthError/Code/requestRejected`` if it rejects the client. Also `TransportError` and
  ///   `CancellationError`.
  public func introspect(_ token: Secret, hint: TokenTypeHint? = nil) async throws -> TokenIntrospection {
    guard let endpoint = server.introspectionEndpoint else {
      throw OAuthError(
        .unsupported,
        "\(server.name) has no introspection endpoint. Verify the token itself, or test it with an API call.")
    }
    var form: FormFields = ["token": token.reveal()]
    form["token_type_hint"] = hint?.rawValue
    guard let introspection = TokenIntrospection(try await post(form, to: endpoint)) else {
      throw OAuthError(
        .invalidResponse,
        "The response of the introspection endpoint of \(server.name) does not say whether the token is active.")
    }
    return introspection
  }
}
