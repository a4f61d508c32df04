// SPDX-License-Identifier: Apache-2.0

extension RGBColor {
  /// Why a text is not a colour.
  public enum ParseError: Error, Sendable, Hashable {
    /// There is nothing but whitespace, or a number sign alone.
    case empty
    /// The character at `offset` is not a hexadecimal digit. Offsets count UTF-8 bytes from the start of the text as given,
    /// whitespace included.
    case invalidDigit(Unicode.Scalar, offset: Int)
    /// There are `count` digits from `offset` on, all valid, where 3, 4, 6 or 8 are expected.
    case invalidDigitCount(count: Int, offset: Int)
  }
}

extension RGBColor.ParseError: CustomStringConvertible {
  /// What is wrong and where, in a sentence.
  public var description: String {
    switch self {
    case .empty: "The colour is empty; write it like #9fe1e7."
    case .invalidDigit(let scalar, let offset):
      "The colour has \(scalar.name) at offset \(offset), which is not a hexadecimal digit."
    case .invalidDigitCount(let count, let offset):
      "The colour has \(count) digits from offset \(offset) on; write 3, 4, 6 or 8."
    }
  }
}

extension RGBColor.ParseError {
  /// Finds the fault in a text that could not be read.
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
  /// Finds the fault in a part of a string that could not be read.
  @inline(never)
  init(in text: some Collection<UInt8>) {
    // A native string lends its bytes; `nil` means a bridged one, which has to be copied first.
    self = text.withContiguousStorageIfAvailable { unsafe Self(in: $0.span) } ?? Self(in: Array(text).span)
  }
}

extension Unicode.Scalar {
  /// The scalar that begins at an offset of UTF-8.
  fileprivate init(at offset: Int, in text: Span<UInt8>) {
    let bytes = (offset..<min(offset + 4, text.count)).map { text[$0] }
    self = String(decoding: bytes, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
  }

  /// The character itself if it is a visible one of ASCII, else its number: any other may be invisible, or steer a terminal.
  fileprivate var name: String {
    (0x21..<0x7F).contains(value) ? "\"\(self)\"" : "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
  }

  private var hex: String { String(value, radix: 16, uppercase: true) }
}
