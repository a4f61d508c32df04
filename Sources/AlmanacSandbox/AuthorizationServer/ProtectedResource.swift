// SPDX-License-Identifier: Apache-2.0

/// A resource of the sandbox that access tokens are for: the Calendar API or the userinfo endpoint.
///
/// The resource's metadata, the authorization and token endpoints and the check of a token's audience all read ``all``.
struct ProtectedResource: Sendable {
  /// The path, without a slash at its end.
  let path: String
  /// The name for users.
  let name: String
  /// Whether a scope gives access to the resource.
  let accepts: @Sendable (_ scope: String) -> Bool

  /// The resources.
  static let all = [
    ProtectedResource(path: "/calendar/v3", name: "Almanac Sandbox: Calendar API") { isOfCalendar($0) },
    ProtectedResource(path: Sandbox.Path.userinfo, name: "Almanac Sandbox: user profile") { !isOfCalendar($0) },
  ]

  /// Returns the resource that a path belongs to, or `nil`.
  static func at(_ path: String) -> ProtectedResource? {
    all.first { path == $0.path || path.hasPrefix($0.path + "/") }
  }

  /// The resource identifier ([RFC 9728 § 1.2](https://www.rfc-editor.org/rfc/rfc9728.html#section-1.2)).
  func identifier(at issuer: String) -> String { issuer + path }

  private static func isOfCalendar(_ scope: String) -> Bool { scope.hasPrefix(Sandbox.Scope.google + "calendar") }
}
