// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import TestSupport
import Testing

/// The output at terminals of several kinds and widths.
@Suite(.takesTurns) struct TerminalTests {
  @Test(arguments: [
    ("one two three four", 10, "one two\nthree four"),
    ("  --days N  the number of days to list", 24, "  --days N  the number\n            of days to\n            list"),
    ("  --a-long-option N  the number of days", 24, "  --a-long-option N\n      the number of days"),
    ("- an item of a list", 12, "- an item of\n  a list"), ("  indented text here", 12, "  indented\n  text here"),
    ("see https://example.com/long now", 12, "see\nhttps://example.com/long\nnow"), ("勉強会 勉強会", 12, "勉強会\n勉強会"),
    (
      "e\u{301}e\u{301}e\u{301} e\u{301}e\u{301}e\u{301}e\u{301}", 8,
      "e\u{301}e\u{301}e\u{301} e\u{301}e\u{301}e\u{301}e\u{301}"
    ),
    ("\u{1B}[1mbold\u{1B}[0m text", 9, "\u{1B}[1mbold\u{1B}[0m text"),
    ("\u{1B}[1mName   \u{1B}[0m some long text", 16, "\u{1B}[1mName   \u{1B}[0m some\n        long\n        text"),
    ("fits", 8, "fits"), ("a\n\nb", 8, "a\n\nb"),
  ])
  func linesAreFoldedAtSpaces(_ text: String, _ width: Int, _ folded: String) {
    #expect(text.folded(to: width) == folded)
    #expect(text.folded(to: nil) == text)
  }

  #if os(Linux)
    /// The demonstration, the help and an error, with the escape sequence of colours that is expected.
    @Test(arguments: [
      ("demo", "TERM=xterm-256color", 80, "38;5;"), ("demo", "TERM=xterm-256color", 40, "38;5;"),
      ("demo", "TERM=xterm COLORTERM=truecolor", 100, "38;2;"), ("demo", "TERM=screen", 60, "30;4"),
      ("demo", "TERM=dumb", 80, ""), ("demo", "", 40, ""), ("--help", "TERM=xterm", 80, ""),
      ("--help", "TERM=xterm", 40, ""),
      ("events add --help", "TERM=xterm", 40, ""), ("sign-in --help", "TERM=xterm", 80, ""),
      ("free --nonsense", "TERM=xterm", 40, ""),
    ])
    func outputFitsTheTerminal(_ command: String, _ settings: String, _ columns: Int, _ colors: String) async throws {
      var environment = ["HOME": FileManager.default.temporaryDirectory.path(), "PATH": "/usr/bin:/bin"]
      for pair in settings.split(separator: " ").map({ $0.split(separator: "=") }) {
        environment["\(pair[0])"] = "\(pair[1])"
      }
      let terminal = try PseudoTerminal(columns: columns)
      let shown = try await terminal.run(
        "almanac", command.split(separator: " ").map(String.init), environment: environment)
      try #require(shown.count > 50, "\(shown)")
      #expect(shown.contains("\u{1B}[\(colors)") == !colors.isEmpty)
      if command == "demo", colors.isEmpty { #expect(!shown.contains("\u{1B}")) }
      for line in shown.replacing(/\u{1B}\[[0-9;]*[a-zA-Z]/, with: "").split(whereSeparator: {
        ["\r", "\n", "\r\n"].contains($0)
      }) {
        let isURL = line.split(separator: " ").contains { $0.count > columns - 8 }
        #expect(String(line).displayWidth <= columns || isURL, "\(line)")
      }
    }
  #endif
}
