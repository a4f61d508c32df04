// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// The name of a field: its range in the text and a tag for quick comparison.
  @usableFromInline package struct Key {
    @usableFromInline package var range = 0..<0
    @usableFromInline package var hasEscapes = false
    /// The length in the lowest byte, followed by the first seven bytes of the name in little-endian order.
    ///
    /// A name with escapes has the tag of the unescaped name.
    @usableFromInline package var tag: UInt64 = 0

    @inlinable package init() {}

    /// Returns the tag of a name, which a `switch` compares with constants.
    @inlinable package static func tag(length: Int, firstEight word: UInt64) -> UInt64 {
      let shown = length >= 7 ? word : word & ((1 << (8 * UInt64(length))) &- 1)
      return shown << 8 | UInt64(truncatingIfNeeded: length) & 0xFF
    }
  }

  /// Advances to the next field of the object and reads its name.
  ///
  /// - Returns: `false` at the end of the object.
  @inlinable @inline(__always)
  package mutating func nextKey() throws(JSONParseError) -> Bool {
    guard try next(until: UInt8(ascii: "}")) else { return false }
    guard peekPastIndentation() == UInt8(ascii: "\"") else { throw unexpected("the name of a field was expected") }
    let first = position + 1
    if let block = block(at: first) {
      let length = block.endOfPlainText.leadingFalseCount
      // Byte `length` is within the block of 16 bytes, which is part of the text. Any sixteen bytes are two valid integers.
      if length < 16, unsafe start[first + length] == UInt8(ascii: "\"") {
        let word = UInt64(littleEndian: unsafe unsafeBitCast(block, to: SIMD2<UInt64>.self)[0])
        key.range = first..<first + length
        key.hasEscapes = false
        key.tag = Key.tag(length: length, firstEight: word)
        position = first + length + 1
        return try colon()
      }
    }
    try readLongKey()
    return try colon()
  }

  @inlinable @inline(__always)
  package mutating func colon() throws(JSONParseError) -> Bool {
    guard peek() == UInt8(ascii: ":") else { throw unexpected("a colon was expected") }
    position += 1
    return true
  }

  /// Reads a name that is long, has escapes, or is near the end of the text.
  @usableFromInline @inline(never)
  package mutating func readLongKey() throws(JSONParseError) {
    let text = try scanString()
    key.range = text.range
    key.hasEscapes = text.hasEscapes
    // Safe: the range was scanned, so it is in the buffer, and the array is a copy.
    let name = text.hasEscapes ? try unescaped(text.range) : unsafe Array(bytes(text.range).prefix(8))
    var word: UInt64 = 0
    for (index, byte) in name.prefix(8).enumerated() { word |= UInt64(byte) << (8 * UInt64(index)) }
    key.tag = Key.tag(length: text.hasEscapes ? name.count : text.range.count, firstEight: word)
  }

  /// Returns whether the current field is called `name`.
  ///
  /// Both names must have the same tag: only the bytes omitted by the tag are compared.
  @inlinable @inline(__always)
  package func isKey(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    if key.hasEscapes { return isEscapedKey(name) }
    guard count > 7 else { return true }
    // Equal tags imply equal lengths modulo 256; names of the API are shorter. The literal has a pointer, because it has more
    // than one character, and both texts have `count` bytes.
    guard key.range.count == count else { return false }
    let own = unsafe UnsafeRawPointer(start + key.range.lowerBound)
    let other = unsafe UnsafeRawPointer(name.utf8Start)
    var offset = 7
    while offset + 8 <= count {
      let same =
        unsafe own.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard same else { return false }
      offset += 8
    }
    return unsafe own.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      == other.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  }

  @usableFromInline @inline(never)
  package func isEscapedKey(_ name: StaticString) -> Bool {
    guard let key = try? unescaped(key.range) else { return false }
    // The buffer is the literal's and does not escape.
    return name.withUTF8Buffer { unsafe key.elementsEqual($0) }
  }

  /// Returns a name as a string.
  @usableFromInline package mutating func string(of key: Key) throws(JSONParseError) -> String {
    try string(ScannedString(range: key.range, hasEscapes: key.hasEscapes))
  }
}
