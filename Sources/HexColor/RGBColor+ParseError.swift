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
  init(in text: some BidirectionalCollection<UInt8>) {
    var digits = text[...]
    while let last = digits.last, HexDigits.isWhitespace(last) { digits.removeLast() }
    while let first = digits.first, HexDigits.isWhitespace(first) { digits.removeFirst() }
    if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
    let start = text.distance(from: text.startIndex, to: digits.startIndex)
    if digits.isEmpty {
      self = .empty
    } else if let fault = digits.firstIndex(where: { !HexDigits.isDigit($0) }) {
      self = .invalidDigit(offset: text.distance(from: text.startIndex, to: fault))
    } else {
      self = .invalidDigitCount(count: digits.count, offset: start)
    }
  }
}
