// SPDX-License-Identifier: Apache-2.0

extension RGBColor {
  /// An error that states why a text is not a colour.
  public enum ParseError: Error, Sendable, Hashable {
    /// The text is empty, whitespace only, or a number sign alone.
    case empty
    /// The character at `offset` is not a hexadecimal digit. Offsets count UTF-8 bytes from the start of the text, including
    /// whitespace.
    case invalidDigit(Unicode.Scalar, offset: Int)
    /// The number of digits is `count` instead of 3, 4, 6 or 8.
    ///
    /// All are valid. The first is at `offset`.
    case invalidDigitCount(count: Int, offset: Int)
  }
}

extension RGBColor.ParseError: CustomStringConvertible {
  /// A message that states the error, and its place or remedy.
  public var description: String {
    switch self {
    case .empty: "The colour is empty. Write it like #9fe1e7."
    case .invalidDigit(let scalar, let offset):
      "The colour has \(scalar.name) at offset \(offset), which is not a hexadecimal digit."
    case .invalidDigitCount(let count, let offset):
      "The colour has \(count) digits from offset \(offset) on. Write 3, 4, 6 or 8."
    }
  }
}

extension RGBColor.ParseError {
  /// Finds the error in a text that is not a colour.
  @usableFromInline @inline(never)
  init(in text: Span<UInt8>) {
    var digits = HexDigits.trim(text)
    if !digits.isEmpty, text[digits.lowerBound] == UInt8(ascii: "#") { digits.removeFirst() }
    if digits.isEmpty {
      self = .empty
    } else if let fault = digits.first(where: { !HexDigits.isDigit(text[$0]) }) {
      self = .invalidDigit(Unicode.Scalar(at: fault, in: text), offset: fault)
    } else {
      self = .invalidDigitCount(count: digits.count, offset: digits.lowerBound)
    }
  }
}

extension RGBColor.ParseError {
  /// Finds the error in a string that is not a colour.
  @usableFromInline @inline(never)
  init(in text: borrowing String) { self.init(lentBy: text.utf8) }

  /// Finds the error in a part of a string that is not a colour.
  @usableFromInline @inline(never)
  init(in text: borrowing Substring) { self.init(lentBy: text.utf8) }

  private init(lentBy text: some Collection<UInt8>) {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    self = text.withContiguousStorageIfAvailable { unsafe Self(in: $0.span) } ?? Self(in: Array(text).span)
  }
}

extension Unicode.Scalar {
  /// Creates the scalar that begins at an offset of UTF-8 text.
  fileprivate init(at offset: Int, in text: Span<UInt8>) {
    if text[offset] < 0x80 {
      self.init(text[offset])
    } else {
      let bytes = (offset..<min(offset + 4, text.count)).map { text[$0] }
      self = String(decoding: bytes, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    }
  }

  /// The character itself if it is visible ASCII, otherwise its code point.
  ///
  /// Other characters may be invisible or control a terminal.
  fileprivate var name: String {
    (0x21..<0x7F).contains(value) ? "\"\(self)\"" : "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
  }

  private var hex: String { String(value, radix: 16, uppercase: true) }
}
