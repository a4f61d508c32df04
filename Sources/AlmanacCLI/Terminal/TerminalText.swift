// SPDX-License-Identifier: Apache-2.0

/// Text for a terminal, which only the command's own words and styles can steer.
///
/// A string that is interpolated, or that a text is made of, loses every character that a terminal obeys, line ends included: a
/// server cannot clear the screen, change a title, hide text or add a line. Literals and other texts stay as they are.
struct TerminalText: ExpressibleByStringInterpolation, Sendable {
  /// The characters to write, with the escape sequences of the styles.
  let rendered: String

  /// Creates a text of one line.
  init(_ value: String) { rendered = value.terminalSafe }

  /// Creates a text whose line ends stay, for content that has lines of its own.
  init(lines value: String) { rendered = value.terminalSafeLines }

  init(stringLiteral value: String) { rendered = value }

  init(stringInterpolation: Interpolation) { rendered = stringInterpolation.rendered }

  /// Creates a text of a style.
  ///
  /// - Parameters:
  ///   - style: The parameters of the escape sequence that begins the style.
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
