// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import OAuthScope
import PlatformFoundation

extension AuthorizationServer {
  /// Whether a token restricted to some resources is valid for a request's resource
  /// ([RFC 8707 § 2](https://www.rfc-editor.org/rfc/rfc8707.html#section-2)).
  func isAudience(_ resources: [String], of request: HTTPRequest) -> Bool {
    guard !resources.isEmpty, let resource = ProtectedResource.at(request.url.path(percentEncoded: true)) else {
      return true
    }
    return resources.contains(resource.identifier(at: issuer(for: request.url)))
  }

  /// Returns the challenge with which a protected resource rejects a request
  /// ([RFC 6750 § 3](https://www.rfc-editor.org/rfc/rfc6750.html#section-3)).
  ///
  /// The challenge names the URL of the resource's metadata
  /// ([RFC 9728 § 5.1](https://www.rfc-editor.org/rfc/rfc9728.html#section-5.1)).
  ///
  /// - Parameters:
  ///   - scheme: The authentication scheme.
  ///   - request: The request.
  ///   - error: The error code, or `nil` if the request has no token.
  ///   - scope: The scopes required by the request, if the token lacks one.
  func challenge(
    _ scheme: String = "Bearer", for request: HTTPRequest, error: String? = nil, scope: String? = nil
  ) -> String {
    let issuer = issuer(for: request.url)
    let resource = issuer.isEmpty ? nil : ProtectedResource.at(request.url.path(percentEncoded: true))
    let parameters = [
      ("realm", "sandbox"), ("error", error), ("scope", scope),
      ("resource_metadata", resource.map { issuer + Path.resourceMetadata + $0.path }),
    ]
    return scheme + " "
      + parameters.compactMap { name, value in value.map { #"\#(name)="\#($0)""# } }.joined(separator: ", ")
  }

  /// Returns a protected resource's metadata ([RFC 9728 § 3.2](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.2)), or
  /// `nil` if the path has no resource.
  func resourceMetadata(path: Substring, issuer: String) -> HTTPResponse? {
    guard let resource = ProtectedResource.all.first(where: { $0.path == path }) else { return nil }
    let algorithms = configuration.proofs?.algorithms.map(\.rawValue).sorted()
    return .json(
      .object(of: [
        "resource": .string(resource.identifier(at: issuer)), "authorization_servers": [.string(issuer)],
        "scopes_supported": .array(
          configuration.scopes.map(\.scope).filter(resource.accepts).map { .string($0.rawValue) }),
        "bearer_methods_supported": ["header"], "resource_name": .string(resource.name),
        "dpop_signing_alg_values_supported": algorithms.map { .array($0.map { .string($0) }) },
      ]))
  }
}

/// A protected resource of the sandbox: the Calendar API or the userinfo endpoint.
///
/// The resource metadata, the authorization endpoint, the token endpoint, and the audience check all use ``all``.
struct ProtectedResource: Sendable {
  /// The path, without a trailing slash.
  let path: String
  /// The display name.
  let name: String
  /// Whether a scope gives access to the resource.
  let accepts: @Sendable (_ scope: Scope) -> Bool

  /// The resources.
  static let all = [
    ProtectedResource(path: "/calendar/v3", name: "Almanac Sandbox: Calendar API") { isOfCalendar($0) },
    ProtectedResource(path: Path.userinfo, name: "Almanac Sandbox: user profile") { !isOfCalendar($0) },
  ]

  /// Returns the resource of a path, or `nil`.
  static func at(_ path: String) -> ProtectedResource? {
    all.first { path == $0.path || path.hasPrefix($0.path + "/") }
  }

  /// The resource identifier ([RFC 9728 § 1.2](https://www.rfc-editor.org/rfc/rfc9728.html#section-1.2)).
  func identifier(at issuer: String) -> String { issuer + path }

  private static func isOfCalendar(_ scope: Scope) -> Bool {
    scope.rawValue.hasPrefix(Sandbox.OfferedScope.google + "calendar")
  }
}
