// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
import OAuthScope

extension Sandbox {
  /// The authorization server's deviations from the specification, as data.
  ///
  /// Defaults to no deviation.
  public struct Dialect: Sendable, Hashable {
    /// The path of the authorization endpoint.
    public var authorizationPath = Path.authorization
    /// The path of the token endpoint.
    public var tokenPath = Path.token
    /// The separator of the scopes in a request.
    public var scopeSeparator = " "
    /// The format of the granted scopes in a token response.
    public var grantedScopes = GrantedScopes.text(separator: " ")
    /// The value of `token_type`, or `nil` to omit it.
    public var tokenType: String? = "Bearer"
    /// The format of the token endpoint's errors.
    public var errors = ErrorShape.standard
    /// The server's own names for standard error codes, by standard code.
    public var errorNames: [String: String] = [:]
    /// Whether the server supports PKCE.
    ///
    /// If `false`, it ignores PKCE parameters.
    public var checksPKCE = true
    /// Whether the server supports refresh tokens.
    public var refreshes = true
    /// The parameter of an authorization request required for a refresh token, such as `access_type=offline`.
    public var offlineParameter: FormFields.Field?
    /// Whether the authorization response is a form posted by the browser.
    ///
    /// The request must then ask for `form_post`.
    public var postsResponses = false
    /// Whether the authorization response includes the issuer
    /// ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207.html)).
    public var namesItself = true

    /// Creates the dialect of a server conforming to the specifications.
    public init() {}

    /// The format of granted scopes.
    public enum GrantedScopes: Sendable, Hashable {
      /// A string with a separator.
      case text(separator: String)
      /// An array.
      case list
      /// Omitted scopes.
      case omitted
    }

    /// The format of an error response.
    public enum ErrorShape: Sendable, Hashable {
      /// `{"error", "error_description"}` ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)).
      case standard
      /// `{"ok": false, "error"}` with status 200, as in Slack's API.
      case flagged
      /// `{"error": {"message", "type", "code"}}`, as in Facebook's API.
      case nested
      /// `{"status", "message"}`, as in Twitch's API.
      case message
      /// `{"error", "reason"}`, as in Zoom's API.
      case reason
    }
  }
}

extension Sandbox.Dialect {
  /// Returns an error response in the server's format.
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

  /// Writes the members of a token response that depend on the dialect.
  func write(_ scopes: [Scope], into members: inout [String: JSONValue]) {
    members["token_type"] = tokenType.map { .string($0) }
    if errors == .flagged { members["ok"] = true }
    switch grantedScopes {
    case .text(let separator): members["scope"] = .string(scopes.joined(separator: separator))
    case .list: members["scope"] = .array(scopes.map { .string($0.rawValue) })
    case .omitted: members["scope"] = nil
    }
    if !refreshes { members["refresh_token"] = nil }
  }
}
