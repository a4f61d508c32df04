// SPDX-License-Identifier: Apache-2.0

/// The words of a text, in a form in which case and accents are ignored.
struct SearchWords {
  /// The maximum number of words, which bounds the cost of a long description.
  private static let maximumCount = 10_000
  /// The maximum number of bytes of all words.
  private static let maximumSize = 200_000
  /// The maximum number of bytes of a word.
  ///
  /// Longer words are truncated, both in events and in queries.
  private static let maximumLength = 200
  /// The word between two fields, which no query contains.
  private static let separator = "…"

  private(set) var list: [String] = []
  private var size = 0

  init() {}

  init(_ text: some StringProtocol) { append(text) }

  /// Appends the words of a field, and separates them from those before.
  mutating func append(field text: String?) {
    guard let text, !text.isEmpty else { return }
    if !list.isEmpty { append(word: Self.separator) }
    append(text)
  }

  private mutating func append(_ text: some StringProtocol) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return append(ascii: text.utf8) }
    var word = ""
    for character in text.lowercased() where !isFull {
      switch character.searchClass {
      case .letter: word.append(limiting: character.unicodeScalars, to: Self.maximumLength)
      case .other(let base): word.append(limiting: base.unicodeScalars, to: Self.maximumLength)
      case .word:
        append(word: word)
        word = ""
        var single = ""
        single.append(limiting: character.unicodeScalars, to: Self.maximumLength)
        append(word: single)
      case .separator:
        append(word: word)
        word = ""
      }
    }
    append(word: word)
  }

  /// Appends the words of a text in ASCII, as most are.
  private mutating func append(ascii text: some Sequence<UInt8>) {
    var word: [UInt8] = []
    func isLetterOrDigit(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
    for byte in text where !isFull {
      let lowercase = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      if isLetterOrDigit(lowercase) {
        if word.count < Self.maximumLength { word.append(lowercase) }
      } else if !word.isEmpty {
        append(word: String(decoding: word, as: UTF8.self))
        word.removeAll(keepingCapacity: true)
      }
    }
    append(word: String(decoding: word, as: UTF8.self))
  }

  private var isFull: Bool { list.count >= Self.maximumCount || size >= Self.maximumSize }

  private mutating func append(word: String) {
    guard !word.isEmpty, !isFull else { return }
    list.append(word)
    size += word.utf8.count
  }
}

extension String {
  fileprivate mutating func append(limiting scalars: some Sequence<Unicode.Scalar>, to length: Int) {
    for scalar in scalars where utf8.count < length { unicodeScalars.append(scalar) }
  }
}

private enum SearchClass {
  /// A letter or digit, searched as it is.
  case letter
  /// A letter, searched without its accents.
  case other(String)
  /// A single-character word.
  case word
  case separator
}

extension Character {
  fileprivate var searchClass: SearchClass {
    if let ascii = asciiValue {
      return (0x61...0x7A).contains(ascii) || (0x30...0x39).contains(ascii) ? .letter : .separator
    }
    guard isLetter || isNumber else { return .separator }
    if let base = Self.bases[self] { return .other(base) }
    // The precomposed form of a letter with an accent that the table does not have.
    let bare = String(String.UnicodeScalarView(unicodeScalars.filter { !(0x0300...0x036F).contains($0.value) }))
    if let first = unicodeScalars.first, Self.isWritten(withoutSpaces: first) { return .word }
    return bare.unicodeScalars.count == unicodeScalars.count ? .letter : .other(bare)
  }

  /// Whether a scalar belongs to a script without spaces between words.
  private static func isWritten(withoutSpaces scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Thai, Lao, Myanmar, Khmer; Hiragana and Katakana.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF: true
    default: scalar.properties.isIdeographic
    }
  }

  /// The base letters of Latin and Greek letters with accents.
  ///
  /// A lookup finds every canonically equivalent form of a letter.
  private static let bases: [Character: String] = {
    var bases: [Character: String] = [:]
    func add(_ letter: Character, _ marks: [Unicode.Scalar]) {
      var scalars = String.UnicodeScalarView(letter.unicodeScalars)
      scalars.append(contentsOf: marks)
      bases[Character(String(scalars))] = String(letter)
    }
    let marks = (0x0300...0x0345 as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    for letter in "abcdefghijklmnopqrstuvwxyzαεηιουω" { for mark in marks { add(letter, [mark]) } }
    // Letters with two accents, as in Vietnamese.
    for letter in "aeouyω" {
      for first in ["\u{302}", "\u{306}", "\u{31B}", "\u{308}", "\u{304}", "\u{313}", "\u{314}"] as [Unicode.Scalar] {
        for mark in marks { add(letter, [first, mark]) }
      }
    }
    bases["ς"] = "σ"
    return bases
  }()
}
