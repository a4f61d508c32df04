// SPDX-License-Identifier: Apache-2.0

import HexColor

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output and error, and what the terminal behind them can show.
struct Terminal: Sendable {
  /// Whether colours are shown.
  let hasColor: Bool
  /// Whether standard output is a terminal.
  let showsOutput: Bool
  /// Whether standard error is a terminal.
  let isInteractive: Bool
  /// The width in columns.
  let width: Int
  private let output: Output

  /// - Parameters:
  ///   - color: `auto`, `always` or `never`.
  ///   - environment: The environment.
  ///   - output: Told when standard output is lost.
  init(color: String, environment: [String: String], output: Output) throws {
    self.output = output
    switch color {
    case "always": hasColor = true
    case "never": hasColor = false
    case "auto":
      // https://no-color.org: any value but an empty one counts.
      let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      let trueColor = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
      hasColor = !refused && trueColor && environment["TERM"] != "dumb" && isatty(1) == 1
    default: throw UsageError("--color is auto, always or never.")
    }
    showsOutput = isatty(1) == 1
    isInteractive = isatty(2) == 1
    var size = winsize()
    // The call fills `size`, which outlives it.
    width = unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 100
  }

  /// Writes a line to standard output.
  func line(_ text: String = "") { output.write(Array((text + "\n").utf8)) }

  /// Writes lines for the user to standard error, without characters that steer a terminal.
  func note(_ text: String) {
    tell(text.terminalSafeLines + "\n")
  }

  /// Writes a line to standard error that the next one replaces; nothing if it is no terminal.
  func progress(_ text: String) {
    if isInteractive { tell("\r\u{1B}[K\(text.terminalSafe)") }
  }

  /// Removes the progress line.
  func endProgress() {
    if isInteractive { tell("\r\u{1B}[K") }
  }

  /// Writes bytes to standard output as they are.
  func raw(_ bytes: [UInt8]) { output.write(bytes) }

  private func tell(_ text: String) { _ = writeAll(Array(text.utf8), to: 2) }

  /// Text on a background, or the text alone where there are no colours.
  func painted(_ text: String, _ foreground: RGBColor, on background: RGBColor) -> String {
    guard hasColor else { return text }
    let colour = { (color: RGBColor) in "\(color.red);\(color.green);\(color.blue)" }
    return "\u{1B}[38;2;\(colour(foreground));48;2;\(colour(background))m\(text)\u{1B}[0m"
  }

  /// Bold text where there are colours.
  func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// Faint text where there are colours.
  func dim(_ text: String) -> String { hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
