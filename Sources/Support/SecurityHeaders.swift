// SPDX-License-Identifier: Apache-2.0

/// The header fields of sign-in pages.
package enum SecurityHeaders {
  /// The fields that keep a response from being stored or read as another type, and its URL from being sent to other servers.
  package static let common = [
    ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
  ]

  /// Returns the fields of an HTML page that loads nothing, runs nothing and cannot be framed.
  ///
  /// - Parameter allowing: The directives of the page's Content Security Policy, such as `style-src 'self'`.
  package static func page(allowing directives: [String] = []) -> [(String, String)] {
    let policy = ["default-src 'none'"] + directives + ["base-uri 'none'", "frame-ancestors 'none'"]
    return common + [
      ("Content-Type", "text/html; charset=utf-8"),
      ("Content-Security-Policy", policy.joined(separator: "; ")),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("X-Frame-Options", "DENY"),
    ]
  }
}
