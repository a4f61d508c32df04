// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding

extension Sandbox {
  /// How the authorization server speaks where it is to differ from the specification, as data.
  ///
  /// The default values are those of a server that does not differ.
  public struct Dialect: Sendable, Hashable {
    /// Where the user is sent.
    public var authorizationPath = Path.authorization
    /// Where codes and refresh tokens are exchanged.
    public var tokenPath = Path.token
    /// The text between the scopes of a request.
    public var scopeSeparator = " "
    /// How the scopes that were granted are written.
    public var grantedScopes = GrantedScopes.text(separator: " ")
    /// How the type of a token is written; `nil` to leave it out.
    public var tokenType: String? = "Bearer"
    /// The form of the errors of the token endpoint.
    public var errors = ErrorShape.standard
    /// The server's own names for the errors of the specification.
    public var errorNames: [String: String] = [:]
    /// Whether the server knows PKCE; otherwise it disregards what it is sent of it.
    public var checksPKCE = true
    /// Whether the server exchanges refresh tokens.
    public var refreshes = true
    /// A parameter of the authorization request, such as `access_type=offline`, without which there is no refresh token.
    public var offlineParameter: FormFields.Field?
    /// Whether the browser posts the authorization response as a form, and the request has to ask for that.
    public var postsResponses = false
    /// Whether the authorization response names the server
    /// ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207.html)).
    public var namesItself = true

    /// Creates the dialect of a server that follows the specifications.
    public init() {}

    /// How a server writes the scopes that it granted.
    public enum GrantedScopes: Sendable, Hashable {
      /// As a text.
      case text(separator: String)
      /// As a list.
      case list
      /// Not at all.
      case omitted
    }

    /// The form of an error.
    public enum ErrorShape: Sendable, Hashable {
      /// `{"error", "error_description"}` ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)).
      case standard
      /// `{"ok": false, "error"}` with status 200, as Slack has it.
      case flagged
      /// `{"error": {"message", "type", "code"}}`, as Facebook has it.
      case nested
      /// `{"status", "message"}`, as Twitch has it.
      case message
      /// `{"error", "reason"}`, as Zoom has it.
      case reason
    }
  }
}

extension Sandbox.Dialect {
  /// The error as this server writes it.
  func response(_ fault: OAuthFault) -> HTTPResponse {
    let name = JSONValue.string(errorNames[fault.error] ?? fault.error)
    let description = JSONValue.string(fault.description)
    switch errors {
    case .standard:
      guard errorNames[fault.error] != nil else { return .oauthError(fault) }
      return .json(["error": name, "error_description": description], status: fault.status)
    case .flagged: return .json(["ok": false, "error": name])
    case .nested:
      return .json(
        ["error": ["message": description, "type": "OAuthException", "code": name]], status: fault.status)
    case .message:
      return .json(["status": .integer(Int64(fault.status)), "message": name], status: fault.status)
    case .reason: return .json(["error": name, "reason": description], status: fault.status)
    }
  }

  /// The members of a successful response that the dialect decides.
  func write(_ scopes: [String], into members: inout [String: JSONValue]) {
    members["token_type"] = tokenType.map { .string($0) }
    if errors == .flagged { members["ok"] = true }
    switch grantedScopes {
    case .text(let separator): members["scope"] = .string(scopes.joined(separator: separator))
    case .list: members["scope"] = .array(scopes.map { .string($0) })
    case .omitted: members["scope"] = nil
    }
    if !refreshes { members["refresh_token"] = nil }
  }
}
