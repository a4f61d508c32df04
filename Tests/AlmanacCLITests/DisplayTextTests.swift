// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import Testing

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("Family", "Family"), ("\u{1B}[2Jgone", " [2Jgone"), ("a\r\nb\tc\u{7}", "a  b c "),
    ("right\u{202E}left", "right left"), ("line\u{2028}line\u{2029}", "line line "), ("\u{9B}31m", " 31m"),
    ("👩\u{200D}💻", "👩\u{200D}💻"),
  ])
  func terminalControlCharactersAreReplaced(_ text: String, _ shown: String) {
    #expect(text.terminalSafe == shown)
  }

  @Test(arguments: [
    ("plain", 5), ("é", 1), ("e\u{301}", 1), ("勉強会", 6), ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("👩\u{200D}💻", 2),
    ("\u{2708}\u{FE0F}", 2), ("\u{2708}\u{FE0E}", 1), ("संगीत", 4), ("हिन्दुस्तानी", 9), ("دروس", 4), ("", 0),
  ])
  func displayWidthIsThatOfTheTerminal(_ text: String, _ columns: Int) {
    #expect(text.displayWidth == columns)
    #expect(text.fitted(to: 12).displayWidth == 12)
  }

  @Test(arguments: [
    ("plain é 👩\u{200D}💻", "plain é 👩\u{200D}💻"), ("\u{9B}31m", #"\u009b31m"#), ("a\u{7F}b", #"a\u007fb"#),
    ("right\u{202E}left\u{2066}", #"right\u202eleft\u2066"#), ("line\u{2028}", #"line\u2028"#),
    ("tag\u{E0001}", #"tag\udb40\udc01"#),
  ])
  func jsonEscapesTerminalControlCharacters(_ text: String, _ written: String) throws {
    let json = Array(try JSONEncoder().encode([text])).terminalSafeJSON
    #expect(String(decoding: json, as: UTF8.self) == #"["\#(written)"]"#)
    #expect(try JSONDecoder().decode([String].self, from: Data(json)) == [text], "it means the same")
  }
}
