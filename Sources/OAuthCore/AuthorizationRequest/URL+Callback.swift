// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import PlatformFoundation

extension URL {
  /// Creates the URL of a callback from text, such as a request's target after the origin, or a URL pasted by a user.
  ///
  /// Some servers write values with a `%` that begins no escape, or with bytes forbidden by
  /// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986.html), and browsers pass these values on unchanged.
  /// `URL(string:)` escapes the valid escapes of such text a second time. This initializer escapes only the invalid
  /// bytes, so every value stays as the server wrote it.
  ///
  /// - Parameter text: The complete URL.
  /// - Returns: `nil` if the text is not a URL with a scheme.
  public init?(callback text: String) {
    self.init(string: URLText.escaped(text.utf8))
    guard scheme != nil else { return nil }
  }
}
