// SPDX-License-Identifier: Apache-2.0

/// The hot path: reads and writes the digits of a colour.
///
/// A table gives the value of each digit. Arithmetic on the number of digits selects the bytes to look up, and one test
/// checks that all of them are digits. No branch depends on the number sign, the notation or the digits: a mispredicted
/// branch costs more than all look-ups. Only whitespace around a colour, which programs do not write, takes a slow path.
@usableFromInline
enum HexDigits {
  /// The lowest value returned by ``read(_:)`` for a text that is not a colour.
  ///
  /// The value of a colour is less.
  @inlinable @inline(__always)
  static var fault: UInt64 { 1 << 32 }

  /// Reads a colour: red in the lowest byte, then green, blue and alpha.
  ///
  /// - Returns: The colour, or at least ``fault`` if the text is not a colour.
  @inlinable @inline(__always)
  static func read(_ text: Span<UInt8>) -> UInt64 {
    let count = text.count
    guard count >= 3, count <= 9 else { return readTrimmed(text) }
    // The text has at least three bytes.
    let (first, last) = unsafe (text[unchecked: 0], text[unchecked: count &- 1])
    let start = first == UInt8(ascii: "#") ? 1 : 0
    let length = count &- start
    guard isLength(length), min(first, last) > 0x20 else { return readTrimmed(text) }
    return unsafe read(text, from: start, length: length)
  }

  /// Reads a string.
  ///
  /// It is not inlined into clients, unlike the initializers calling it.
  @usableFromInline
  static func read(_ text: borrowing String) -> UInt64 {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    let digits = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe read($0.span) }
    return digits ?? readTrimmed(Array(text.utf8).span)
  }

  /// Reads a part of a string.
  @usableFromInline
  static func read(_ text: borrowing Substring) -> UInt64 {
    // The span is used only within the closure, as for a string.
    let digits = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe read($0.span) }
    return digits ?? readTrimmed(Array(text.utf8).span)
  }

  /// Reads a text of any length, with any whitespace around it.
  @usableFromInline @inline(never)
  static func readTrimmed(_ text: Span<UInt8>) -> UInt64 {
    let digits = trim(text)
    guard !digits.isEmpty else { return fault }
    let start = digits.lowerBound + (text[digits.lowerBound] == UInt8(ascii: "#") ? 1 : 0)
    let length = digits.upperBound - start
    guard length <= 8, isLength(length) else { return fault }
    // The digits are within the text.
    return unsafe read(text, from: start, length: length)
  }

  /// Whether a colour can have `count` digits, where `count` is at most 63.
  @inlinable @inline(__always)
  static func isLength(_ count: Int) -> Bool {
    // The bits of this word are the set 3, 4, 6 and 8. Comparisons would need a branch for each.
    (0b1_0101_1000 as UInt64) &>> UInt64(truncatingIfNeeded: count) & 1 != 0
  }

  /// Reads a colour of 3, 4, 6 or 8 digits, which must be within the text.
  @unsafe @inlinable @inline(__always)
  static func read(_ text: Span<UInt8>, from start: Int, length: Int) -> UInt64 {
    // The short notations use each digit twice, so that `step` between the two digits of a channel is 0.
    let step = length > 4 ? 1 : 0
    // Three and six digits are opaque and have none for alpha: the first digit is read in its place.
    let isOpaque = length & 2 != 0
    let alpha = isOpaque ? start : start &+ 3 &* step &+ 3
    let digits = unsafe (
      value(text, start), value(text, start &+ step),
      value(text, start &+ step &+ 1), value(text, start &+ 2 &* step &+ 1),
      value(text, start &+ 2 &* step &+ 2), value(text, start &+ 3 &* step &+ 2),
      value(text, alpha), value(text, isOpaque ? alpha : alpha &+ step)
    )
    let all = digits.0 | digits.1 | digits.2 | digits.3 | digits.4 | digits.5 | digits.6 | digits.7
    let red = digits.0 << 4 | digits.1 & 15
    let green = digits.2 << 4 | digits.3 & 15
    let blue = digits.4 << 4 | digits.5 & 15
    let opacity = digits.6 << 4 | digits.7 & 15 | (isOpaque ? 255 : 0)
    return UInt64(red & 255 | (green & 255) << 8 | (blue & 255) << 16 | opacity << 24) | UInt64(all & 0x20) << 27
  }

  /// The entry of ``values`` for the byte at an index, which must be within the text.
  @unsafe @inlinable @inline(__always)
  static func value(_ text: Span<UInt8>, _ index: Int) -> UInt32 {
    // The table has an entry for every byte.
    unsafe UInt32(values.utf8Start[Int(text[unchecked: index])])
  }

  /// A table of all bytes: 0x40 plus the value of a hexadecimal digit, or 0x60 for any other byte.
  @inlinable @inline(__always)
  static var values: StaticString {
    """
    ````````````````\
    ````````````````\
    ````````````````\
    @ABCDEFGHI``````\
    `JKLMNO`````````\
    ````````````````\
    `JKLMNO`````````\
    ````````````````\
    ````````````````\
    ````````````````\
    ````````````````\
    ````````````````\
    ````````````````\
    ````````````````\
    ````````````````\
    ````````````````
    """
  }

  /// The eight digits of a colour in lower case, the first in the lowest byte.
  static func text(of color: RGBColor) -> UInt64 {
    let pairs =
      UInt64(color.red) | UInt64(color.green) << 16 | UInt64(color.blue) << 32 | UInt64(color.alpha) << 48
    return text(of: (pairs >> 4 | pairs << 8) & (ones &* 0x0F))
  }

  /// Converts eight values of 0 to 15 into lower-case digits.
  @inlinable @inline(__always)
  static func text(of values: UInt64) -> UInt64 {
    let letters = ((values &+ ones &* 6) >> 4) & ones
    return values &+ ones &* 0x30 &+ letters &* 0x27
  }

  /// One in each byte.
  @inlinable @inline(__always)
  static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// Returns the range of the text without surrounding whitespace.
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
