// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// The comparison of resource identifiers ([RFC 9728 § 3.3](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.3)).
///
/// Two identifiers are compared as a whole: origin, user, path and query. Only an empty path equals `/`. A fragment never belongs to
/// an identifier. Where an identifier may cover the URLs below it, it has no query, and its path ends at a segment's end:
///
/// | Identifier | URL | same | at or below |
/// |---|---|---|---|
/// | `https://api.example` | `https://api.example/` | yes | yes |
/// | `https://api.example` | `https://api.example/v1?a=b` | no | yes |
/// | `https://api.example/v1` | `https://api.example/v1/items` | no | yes |
/// | `https://api.example/v1` | `https://api.example/v12` | no | no |
/// | `https://api.example/v1/` | `https://api.example/v1` | no | no |
/// | `https://api.example/v1` | `https://api.example/v1/../admin` | no | no |
/// | `https://api.example/v1?a=b` | `https://api.example/v1?a=b` | yes | yes |
/// | `https://api.example/v1?a=b` | `https://api.example/v1` | no | no |
/// | `https://user@api.example/v1` | `https://api.example/v1` | no | no |
extension URL {
  /// Returns whether this URL and an identifier are the same.
  func isSameResource(as identifier: URL) -> Bool {
    hasOriginAndUser(of: identifier) && resourcePath == identifier.resourcePath
      && query(percentEncoded: true) == identifier.query(percentEncoded: true)
  }

  /// Returns whether this URL is the same as an identifier, or below it.
  func isAtOrBelow(_ identifier: URL) -> Bool {
    if isSameResource(as: identifier) { return true }
    guard hasOriginAndUser(of: identifier), identifier.query() == nil, !hasDotSegment, !identifier.hasDotSegment else {
      return false
    }
    let base = identifier.resourcePath
    return resourcePath == base || resourcePath.hasPrefix(base.hasSuffix("/") ? base : base + "/")
  }

  private func hasOriginAndUser(of identifier: URL) -> Bool {
    guard let origin = Origin(self), origin == Origin(identifier) else { return false }
    return fragment() == nil && identifier.fragment() == nil && user() == identifier.user()
      && password() == identifier.password()
  }

  private var resourcePath: String {
    let path = path(percentEncoded: true)
    return path.isEmpty ? "/" : path
  }

  /// Whether the path has a segment `.` or `..`, which parsers resolve even if it is percent-encoded.
  var hasDotSegment: Bool {
    path(percentEncoded: true).lowercased().replacing("%2e", with: ".").split(separator: "/").contains {
      $0 == "." || $0 == ".."
    }
  }
}
