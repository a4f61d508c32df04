// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with every character escaped that could end a text or a quoted attribute of HTML.
  ///
  /// It escapes scalars, as HTML parses them: a combining mark after `<` hides it from a search by characters, not from a
  /// browser.
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
