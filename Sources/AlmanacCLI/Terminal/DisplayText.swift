// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text without characters that steer a terminal: a calendar's name comes from outside and may hold anything.
  package var terminalSafe: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.steersTerminal ? " " : $0 }))
  }

  /// ``terminalSafe`` line by line.
  package var terminalSafeLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).terminalSafe }.joined(separator: "\n")
  }

  /// The text without spaces at its end.
  var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }

  /// How many columns the text takes in a terminal.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text cut and filled to exactly `width` columns.
  package func fitted(to width: Int) -> String {
    var text = ""
    var used = 0
    for character in self {
      let next = character.displayWidth
      guard used + next <= width else { break }
      text.append(character)
      used += next
    }
    if text.count < count, width > 1 {
      while used >= width, let last = text.popLast() { used -= last.displayWidth }
      text += "…"
      used += 1
    }
    return text + String(repeating: " ", count: max(0, width - used))
  }
}

extension Unicode.Scalar {
  /// Whether a terminal obeys the character instead of showing it: controls, line separators and what changes the
  /// direction of text.
  ///
  /// The joiners of scripts and emoji are not among them.
  var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200D}" && self != "\u{200C}"
    default: false
    }
  }
}

extension Character {
  /// The columns of the character's scalars together, as terminals count them, except that an emoji takes two.
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    if unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
    return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format: return 0
    default: break
    }
    switch value {
    // The vowels and final consonants of a Hangul syllable that is written in parts.
    case 0x1160...0x11FF: return 0
    // The wide and full-width blocks of UAX #11: Hangul Jamo, CJK and Kana, Hangul syllables, compatibility forms.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
