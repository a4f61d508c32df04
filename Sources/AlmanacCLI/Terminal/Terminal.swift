// SPDX-License-Identifier: Apache-2.0

import HexColor

/// Standard output and standard error, with the capabilities of the terminal behind them.
struct Terminal: Sendable {
  /// The number of shown colours.
  let depth: ColorDepth
  private let console: any Console
  /// Whether the terminal can replace a line.
  private let replacesLines: Bool

  /// Whether standard output is a terminal.
  var showsOutput: Bool { console.showsOutput }
  /// Whether a question can be asked.
  var canAsk: Bool { console.canAsk }
  /// The width in columns.
  var width: Int { console.width }
  /// The maximum number of columns of a line, or `nil` if standard output is not a terminal.
  var outputWidth: Int? { console.showsOutput ? console.width : nil }

  /// - Parameters:
  ///   - color: `auto`, `always` or `never`.
  ///   - environment: The environment.
  ///   - console: The streams.
  /// - Throws: ``UsageError``.
  init(color: String, environment: [String: String], console: any Console) throws {
    self.console = console
    depth = try ColorDepth(when: color, environment: environment, isTerminal: console.showsOutput)
    replacesLines = console.isInteractive && environment.canSteerTerminal
  }

  /// Writes a line to standard output.
  ///
  /// At a terminal, a line that exceeds its width is folded.
  func line(_ text: TerminalText = "") { console.write(Array((text.rendered.folded(to: outputWidth) + "\n").utf8)) }

  /// Writes a line for the user to standard error, folded like one of standard output.
  func note(_ text: TerminalText) { tell(text.rendered.folded(to: console.errorWidth) + "\n") }

  /// Writes a help text to standard output, with its paragraphs in the width of the terminal.
  func help(_ text: String) { line(TerminalText(lines: outputWidth == nil ? text : text.unfolded)) }

  /// Writes a progress line to standard error.
  ///
  /// The next progress line replaces it.
  ///
  /// If standard error is not a terminal that can replace a line, does nothing.
  func progress(_ text: String) {
    guard replacesLines else { return }
    let text = text.terminalSafe
    // After a line that fills the terminal, the cursor would be on a new line, and could not replace the first one.
    tell("\r\u{1B}[K\(text.fitted(to: min(text.displayWidth, max(1, (console.errorWidth ?? 80) - 1))))")
  }

  /// Removes the progress line.
  func endProgress() {
    if replacesLines { tell("\r\u{1B}[K") }
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
    guard let style = depth.style(foreground, on: background) else { return TerminalText(text) }
    return TerminalText(style: style, TerminalText(text))
  }

  /// Returns bold text, or the plain text without colours.
  func bold(_ text: String) -> TerminalText { styled("1", text) }

  /// Returns faint text, or the plain text without colours.
  func dim(_ text: String) -> TerminalText { styled("2", text) }

  private func styled(_ style: String, _ text: String) -> TerminalText {
    depth != .none ? TerminalText(style: style, TerminalText(text)) : TerminalText(text)
  }
}
