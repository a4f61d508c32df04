// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
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
  private struct Members: Decodable {
    let active: Bool
    let clientID, username, tokenType, subject, issuer, tokenID: String?
    let expiresAt, issuedAt, notBefore: Timestamp?
    let scopes, audience: [String]

    private enum CodingKeys: String, CodingKey {
      case active, scope, username
      case clientID = "client_id"
      case tokenType = "token_type"
      case subject = "sub"
      case issuer = "iss"
      case tokenID = "jti"
      case audience = "aud"
      case expiresAt = "exp"
      case issuedAt = "iat"
      case notBefore = "nbf"
    }

    /// Only `active` has to be right: whether a token is good must not depend on an odd member beside it.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
      func time(_ key: CodingKeys) -> Timestamp? {
        (try? container.decodeIfPresent(ReportedDuration.self, forKey: key))?.absolute
      }
      active = try container.decode(Bool.self, forKey: .active)
      func list(_ key: CodingKeys) -> [String] { (try? container.decode([String].self, forKey: key)) ?? [] }
      (clientID, username, tokenType) = (text(.clientID), text(.username), text(.tokenType))
      (subject, issuer, tokenID) = (text(.subject), text(.issuer), text(.tokenID))
      (expiresAt, issuedAt, notBefore) = (time(.expiresAt), time(.issuedAt), time(.notBefore))
      // Some servers send a list, as in token responses.
      scopes = text(.scope)?.split(separator: " ").map(String.init) ?? list(.scope)
      audience = text(.audience).map { [$0] } ?? list(.audience)
    }
  }

  /// Reads a response; `nil` if it does not say whether the token is active.
  init?(_ body: [UInt8]) {
    guard let read = try? JSONDecoder().decode(Members.self, from: Data(body)) else { return nil }
    // § 2.2: what a server says of a token that is not active is not to be relied on.
    let members = read.active ? read : nil
    self.init(
      isActive: read.active, scopes: members?.scopes ?? [], clientID: members?.clientID, username: members?.username,
      tokenType: members?.tokenType,
      expiresAt: members?.expiresAt, issuedAt: members?.issuedAt, notBefore: members?.notBefore,
      subject: members?.subject, audience: members?.audience ?? [], issuer: members?.issuer,
      tokenID: members?.tokenID, body: body)
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
    guard let introspection = TokenIntrospection(try await post(form, to: endpoint).body) else {
      throw OAuthError(
        .invalidResponse,
        "The response of the introspection endpoint of \(server.name) does not say whether the token is active.")
    }
    return introspection
  }
}
