// SPDX-License-Identifier: Apache-2.0

import HexColor

/// Standard output and standard error, with the capabilities of the terminal behind them.
struct Terminal: Sendable {
  /// Whether colours are shown.
  let hasColor: Bool
  private let console: any Console

  /// Whether standard output is a terminal.
  var showsOutput: Bool { console.showsOutput }
  /// Whether a question can be asked.
  var canAsk: Bool { console.canAsk }
  /// The width in columns.
  var width: Int { console.width }

  /// - Parameters:
  ///   - color: `auto`, `always` or `never`.
  ///   - environment: The environment.
  ///   - console: The streams.
  init(color: String, environment: [String: String], console: any Console) throws {
    self.console = console
    switch color {
    case "always": hasColor = true
    case "never": hasColor = false
    case "auto":
      // https://no-color.org: any value except an empty one.
      let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      let trueColor = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
      hasColor = !refused && trueColor && environment["TERM"] != "dumb" && console.showsOutput
    default: throw UsageError("--color is auto, always or never.")
    }
  }

  /// Writes a line to standard output.
  func line(_ text: TerminalText = "") { console.write(Array((text.rendered + "\n").utf8)) }

  /// Writes a line for the user to standard error.
  func note(_ text: TerminalText) { tell(text.rendered + "\n") }

  /// Writes a progress line to standard error, which the next one replaces.
  ///
  /// If standard error is not a terminal, does nothing.
  func progress(_ text: String) {
    if console.isInteractive { tell("\r\u{1B}[K\(text.terminalSafe)") }
  }

  /// Removes the progress line.
  func endProgress() {
    if console.isInteractive { tell("\r\u{1B}[K") }
  }

  /// Writes bytes to standard output as they are.
  func raw(_ bytes: [UInt8]) { console.write(bytes) }

  /// Asks a question on standard error and returns the next line of standard input, or `nil` at the end of input.
  ///
  /// Standard input may be a pipe.
  ///
  /// - Throws: `CancellationError`.
  func ask(_ question: String) async throws -> String? {
    endProgress()
    tell(question.terminalSafe)
    let response = try await console.readLine()
    if response == nil { tell("\n") }
    return response
  }

  /// Returns the rest of standard input, or `nil` if it cannot be read.
  ///
  /// - Throws: `CancellationError`.
  func readAll() async throws -> [UInt8]? { try await console.readAll() }

  private func tell(_ text: String) { console.tell(Array(text.utf8)) }

  /// Returns text on a coloured background, or the plain text without colours.
  func painted(_ text: String, _ foreground: RGBColor, on background: RGBColor) -> TerminalText {
    guard hasColor else { return TerminalText(text) }
    let colour = { (color: RGBColor) in "\(color.red);\(color.green);\(color.blue)" }
    return TerminalText(style: "38;2;\(colour(foreground));48;2;\(colour(background))", TerminalText(text))
  }

  /// Returns bold text, or the plain text without colours.
  func bold(_ text: String) -> TerminalText { styled("1", text) }

  /// Returns faint text, or the plain text without colours.
  func dim(_ text: String) -> TerminalText { styled("2", text) }

  private func styled(_ style: String, _ text: String) -> TerminalText {
    hasColor ? TerminalText(style: style, TerminalText(text)) : TerminalText(text)
  }
}
