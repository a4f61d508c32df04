// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with escapes for all characters that could end a text or a quoted attribute in HTML.
  ///
  /// Unicode scalars are escaped, not characters: in Swift, `<` and a combining mark after it are one character, but a browser
  /// parses the `<`.
  package var escapedForHTML: String {
    var result = ""
    result.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
