extension RGBColor {
  /// Why a text is not a colour.
  public enum ParseError: Error, Sendable, Hashable {
    /// There is nothing but whitespace, or a number sign alone.
    case empty
    /// The byte at `offset` is not a hexadecimal digit. Offsets count UTF-8 bytes from the start of the text as given,
    /// whitespace included.
    case invalidDigit(offset: Int)
    /// There are `count` digits from `offset` on, all valid, where 3, 4, 6 or 8 are expected.
    case invalidDigitCount(count: Int, offset: Int)
  }
}

extension RGBColor.ParseError: CustomStringConvertible {
  /// What is wrong and where, in a sentence.
  public var description: String {
    switch self {
    case .empty: "The colour is empty; write it like #9fe1e7."
    case .invalidDigit(let offset): "The colour has a character at offset \(offset) that is not a hexadecimal digit."
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
      self = .invalidDigit(offset: fault)
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
