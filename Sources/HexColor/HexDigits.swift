/// The hot path: reads and writes the digits of a colour, eight at a time in one 64-bit word.
///
/// The text is trimmed, its digits are gathered into a word, one a byte with the first lowest, and arithmetic on all
/// eight bytes at once turns them into their values and proves that they were digits. There is no table to load and, once
/// the length is known, no branch that depends on a digit.
enum HexDigits {
  /// Calls `body` with the bytes of a string.
  @inline(__always)
  static func lend<Result>(_ text: String, to body: (Span<UInt8>) -> Result) -> Result {
    // A native string lends its bytes; `nil` means a bridged one, which has to be copied first.
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe body($0.span) } ?? body(Array(text.utf8).span)
  }

  @inline(__always)
  static func lend<Result>(_ text: Substring, to body: (Span<UInt8>) -> Result) -> Result {
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe body($0.span) } ?? body(Array(text.utf8).span)
  }

  /// Reads a colour; `nil` when the text is not one.
  static func parse(_ text: Span<UInt8>) -> RGBColor? {
    let trimmed = trim(text)
    let end = trimmed.upperBound
    var start = trimmed.lowerBound
    if start < end, text[start] == UInt8(ascii: "#") { start += 1 }
    // A byte has no padding, any bytes are an integer, and the span checks that it holds them.
    let bytes = unsafe text.bytes
    switch end - start {
    case 6:
      let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self).littleEndian
      let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start + 2, as: UInt32.self).littleEndian
      return color(UInt64(low) | UInt64(high) << 16 | 0x6666_0000_0000_0000)
    case 8:
      return color(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian)
    case 3:
      let word = UInt64(text[start]) | UInt64(text[start + 1]) << 16 | UInt64(text[start + 2]) << 32
      return color((word | word << 8) | 0x6666_0000_0000_0000)
    case 4:
      let low = UInt64(text[start]) | UInt64(text[start + 1]) << 16
      let word = low | UInt64(text[start + 2]) << 32 | UInt64(text[start + 3]) << 48
      return color(word | word << 8)
    default:
      return nil
    }
  }

  /// Reads eight digits, the first in the lowest byte.
  @inline(__always)
  private static func color(_ digits: UInt64) -> RGBColor? {
    // Letters have bit 6 set, and their low four bits are 9 less than their value.
    let letters = (digits >> 6) & ones
    let values = (digits & (ones * 0x0F)) &+ letters &* 9
    // Only what comes back from its value as it went in, in lower case, was a digit.
    guard values & (ones * 0xF0) == 0, text(of: values) == digits | letters << 5 else { return nil }
    let pairs = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
    return RGBColor(
      red: UInt8(truncatingIfNeeded: pairs), green: UInt8(truncatingIfNeeded: pairs >> 16),
      blue: UInt8(truncatingIfNeeded: pairs >> 32), alpha: UInt8(truncatingIfNeeded: pairs >> 48))
  }

  /// The eight digits of a colour in lower case, the first in the lowest byte.
  static func text(of color: RGBColor) -> UInt64 {
    let pairs =
      UInt64(color.red) | UInt64(color.green) << 16 | UInt64(color.blue) << 32 | UInt64(color.alpha) << 48
    return text(of: (pairs >> 4 | pairs << 8) & (ones * 0x0F))
  }

  /// Turns eight values of 0 to 15 into lower-case digits.
  @inline(__always)
  private static func text(of values: UInt64) -> UInt64 {
    let letters = ((values &+ ones * 6) >> 4) & ones
    return values &+ ones &* 0x30 &+ letters &* 0x27
  }

  /// One in each byte.
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// Where the text is without the whitespace around it.
  @inline(__always)
  static func trim(_ text: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, text.count)
    while start < end, isWhitespace(text[start]) { start += 1 }
    while start < end, isWhitespace(text[end - 1]) { end -= 1 }
    return start..<end
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return byte &- UInt8(ascii: "0") < 10 || letter < 6
  }

  /// ASCII whitespace: tab, line feed, vertical tab, form feed, carriage return and space.
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
}
