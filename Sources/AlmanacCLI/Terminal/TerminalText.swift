// SPDX-License-Identifier: Apache-2.0

/// Text for a terminal in which only literals and styles contain control characters.
///
/// In every other string, terminal control characters are replaced by spaces, including line ends. A server's text
/// therefore cannot clear the screen, change the title, hide text or add a line.
struct TerminalText: ExpressibleByStringInterpolation, Sendable {
  /// The characters to write, with the escape sequences of the styles.
  let rendered: String

  /// Creates a text of one line.
  init(_ value: String) { rendered = value.terminalSafe }

  /// Creates a text of several lines, whose line ends are kept.
  init(lines value: String) { rendered = value.terminalSafeLines }

  init(stringLiteral value: String) { rendered = value }

  init(stringInterpolation: Interpolation) { rendered = stringInterpolation.rendered }

  /// Creates a text with a style.
  ///
  /// - Parameters:
  ///   - style: The parameters of the escape sequence at the beginning of the style.
  ///   - text: The text.
  init(style: String, _ text: TerminalText) { rendered = "\u{1B}[\(style)m\(text.rendered)\u{1B}[0m" }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var rendered = ""

    init(literalCapacity: Int, interpolationCount: Int) { rendered.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { rendered += literal }

    mutating func appendInterpolation(_ text: TerminalText) { rendered += text.rendered }

    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      rendered += value.description.terminalSafe
    }
  }
}
