// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with each terminal control character replaced by a space.
  ///
  /// Text from a server can contain such characters.
  package var terminalSafe: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.steersTerminal ? " " : $0 }))
  }

  /// The text with ``terminalSafe`` applied to each line.
  package var terminalSafeLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).terminalSafe }.joined(separator: "\n")
  }

  /// The text without trailing spaces.
  var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }

  /// The number of columns of the text in a terminal.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// Returns the text, truncated or padded to exactly `width` columns.
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
  /// Whether the character controls a terminal: control characters, line separators and format characters, such as
  /// those changing the direction of text.
  ///
  /// The joiners of scripts and emoji do not count.
  var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200D}" && self != "\u{200C}"
    default: false
    }
  }
}

extension Character {
  /// The sum of the columns of the character's scalars, or 2 for an emoji.
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
    // The vowels and final consonants of a decomposed Hangul syllable.
    case 0x1160...0x11FF: return 0
    // The wide and full-width blocks of UAX #11: Hangul Jamo, CJK and Kana, Hangul syllables, compatibility forms.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
