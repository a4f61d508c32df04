// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
public import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a server says of a token ([RFC 7662 § 2.2](https://www.rfc-editor.org/rfc/rfc7662.html#section-2.2)).
///
/// Only ``isActive`` is always there; of a token that is not active, nothing else is known.
public struct TokenIntrospection: Sendable, Hashable {
  /// Whether the token was issued by the server, has not expired and was not revoked.
  public let isActive: Bool
  /// The scopes of the token.
  public let scopes: [String]
  /// The client that the token was issued to, `client_id`.
  public let clientID: String?
  /// The name of the user who authorized the token, for display.
  public let username: String?
  /// How the token is presented, `token_type`.
  public let tokenType: String?
  /// When it expires, `exp`.
  public let expiresAt: Timestamp?
  /// When it was issued, `iat`.
  public let issuedAt: Timestamp?
  /// Before when it must not be used, `nbf`.
  public let notBefore: Timestamp?
  /// Whom it is about, `sub`.
  public let subject: String?
  /// The services that it is for, `aud`.
  public let audience: [String]
  /// Who issued it, `iss`.
  public let issuer: String?
  /// The identifier of the token, `jti`.
  public let tokenID: String?

  private let body: [UInt8]

  /// Returns members of the response as a type of your own, such as those that only one server has.
  ///
  /// - Throws: `DecodingError` if they are not as described.
  public func decode<Members: Decodable>(_ type: Members.Type) throws -> Members {
    try JSONDecoder().decode(type, from: Data(body))
  }
}

extension TokenIntrospection {
  /// Reads a response; `nil` if it does not say whether the token is active.
  ///
  /// Only `active` has to be right: whether a token is good must not depend on an odd member beside it.
  init?(_ response: EndpointResponse) {
    guard let isActive = response["active"]?.bool else { return nil }
    // § 2.2: what a server says of a token that is not active is not to be relied on.
    func member(_ name: String) -> JSONValue? { isActive ? response[name] : nil }
    func time(_ name: String) -> Timestamp? { member(name).flatMap { ReportedDuration($0).absolute } }
    self.init(
      isActive: isActive,
      // Some servers send a list, as in token responses.
      scopes: member("scope")?.string?.split(separator: " ").map(String.init) ?? member("scope")?.strings ?? [],
      clientID: member("client_id")?.string, username: member("username")?.string,
      tokenType: member("token_type")?.string, expiresAt: time("exp"), issuedAt: time("iat"), notBefore: time("nbf"),
      subject: member("sub")?.string,
      audience: member("aud")?.string.map { [$0] } ?? member("aud")?.strings ?? [], issuer: member("iss")?.string,
      tokenID: member("jti")?.string, body: response.response.body)
  }
}

extension TokenIntrospection: CustomStringConvertible, CustomReflectable {
  /// Whether the token is active; nothing that says whose it is.
  public var description: String { isActive ? "active token" : "inactive token" }
  /// What a dump shows, without what says whose the token is.
  public var customMirror: Mirror { Mirror(self, children: ["isActive": isActive, "scopes": scopes]) }
}

extension OAuthClient {
  /// Requests what the server knows of a token ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662.html)): for a service that
  /// receives tokens which it cannot check itself.
  ///
  /// The client authenticates as at the token endpoint. The response is about this moment: a token may be revoked in the next.
  ///
  /// - Parameters:
  ///   - token: The token to ask about.
  ///   - hint: What kind of token it is, so that the server finds it sooner.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupported`` if the server has no introspection endpoint,
  ///   ``OAuthError/Code/requestRejected`` if it does not accept the client; `TransportError`; `CancellationError`.
  public func introspect(_ token: Secret, hint: TokenTypeHint? = nil) async throws -> TokenIntrospection {
    guard let endpoint = server.introspectionEndpoint else {
      throw OAuthError(
        .unsupported, "\(server.name) has no introspection endpoint. Ask it through an API, or verify the token.")
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
