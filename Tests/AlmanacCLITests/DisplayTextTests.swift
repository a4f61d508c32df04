// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import Testing

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("Family", "Family"),
    ("\u{1B}[2Jgone", " [2Jgone"),
    ("a\r\nb\tc\u{7}", "a  b c "),
    ("right\u{202E}left", "right left"),
    ("line\u{2028}line\u{2029}", "line line "),
    ("\u{9B}31m", " 31m"),
    ("👩\u{200D}💻", "👩\u{200D}💻"),
  ])
  func whatSteersATerminalIsTakenOut(_ text: String, _ shown: String) {
    #expect(text.terminalSafe == shown)
  }

  @Test(arguments: [
    ("plain é 👩\u{200D}💻", "plain é 👩\u{200D}💻"),
    ("\u{9B}31m", #"\u009b31m"#),
    ("a\u{7F}b", #"a\u007fb"#),
    ("right\u{202E}left\u{2066}", #"right\u202eleft\u2066"#),
    ("line\u{2028}", #"line\u2028"#),
    ("tag\u{E0001}", #"tag\udb40\udc01"#),
  ])
  func jsonEscapesWhatSteersATerminal(_ text: String, _ written: String) throws {
    let json = Array(try JSONEncoder().encode([text])).terminalSafeJSON
    #expect(String(decoding: json, as: UTF8.self) == #"["\#(written)"]"#)
    #expect(try JSONDecoder().decode([String].self, from: Data(json)) == [text], "it means the same")
  }
}
