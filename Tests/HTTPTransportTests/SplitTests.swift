// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

@Suite struct SplitTests {
  @Test(arguments: [
    "", ".", "..", "a", ".a", "a.", "a.b", "a..b", "..a..b..", "a.b.c.d", "été.中文.🎂", "no separator",
  ])
  func textOfWholeCharactersIsSplitAsBySwift(text: String) {
    for isOmitting in [true, false] {
      for maxSplits in [0, 1, 2, .max] {
        #expect(
          text.split(ascii: ".", maxSplits: maxSplits, omittingEmptySubsequences: isOmitting)
            == text.split(separator: ".", maxSplits: maxSplits, omittingEmptySubsequences: isOmitting),
          "\(isOmitting), \(maxSplits)")
      }
    }
  }

  @Test func partOfATextIsSplitWithinItsBounds() {
    let text = ".a.b.c."
    #expect(text.dropFirst().dropLast(2).split(ascii: ".", omittingEmptySubsequences: false) == ["a", "b", ""])
    #expect(text.dropFirst(3).prefix(0).split(ascii: ".", omittingEmptySubsequences: false) == [""])
  }

  @Test(
    "What Swift's characters hide",
    arguments: [
      // A combining mark is part of the character before it.
      ("a \u{301}b" as String, " " as Unicode.Scalar, ["a", "\u{301}b"]),
      // CR and LF are one character.
      ("a\r\nb", "\n", ["a\r", "b"]), ("a\r\nb", "\r", ["a", "\nb"]),
      // A zero width joiner too.
      ("a,\u{200D}b", ",", ["a", "\u{200D}b"]),
    ])
  func bytesSeparate(text: String, separator: Unicode.Scalar, parts: [String]) {
    #expect(text.split(ascii: separator).map { Array($0.utf8) } == parts.map { Array($0.utf8) })
  }

  @Test("Other whitespace is none", arguments: ["\u{85}", "\u{A0}", "\u{2003}", "\u{3000}", "\t", "\r\n"])
  func onlyTheSeparatorSeparates(space: String) {
    #expect("a\(space)b c".split(ascii: " ") == ["a\(space)b", "c"])
  }
}
