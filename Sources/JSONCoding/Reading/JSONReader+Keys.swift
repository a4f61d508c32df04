// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// The name of a field: where it is, and a tag to tell it by.
  @usableFromInline package struct Key {
    @usableFromInline package var range = 0..<0
    @usableFromInline package var hasEscapes = false
    /// The length in the lowest byte, and the first seven bytes above it, the first the lowest.
    ///
    /// Of a name with escapes it is the tag of what the name stands for.
    @usableFromInline package var tag: UInt64 = 0

    @inlinable package init() {}

    /// The tag of a name, which a `switch` compares with constants.
    @inlinable package static func tag(length: Int, firstEight word: UInt64) -> UInt64 {
      let shown = length >= 7 ? word : word & ((1 << (8 * UInt64(length))) &- 1)
      return shown << 8 | UInt64(truncatingIfNeeded: length) & 0xFF
    }
  }

  /// Goes to the next field of the object and reads its name; `false` at the end of the object.
  @inlinable @inline(__always)
  package mutating func nextKey() throws(JSONParseError) -> Bool {
    guard try next(until: UInt8(ascii: "}")) else { return false }
    guard peekPastIndentation() == UInt8(ascii: "\"") else { throw unexpected("the name of a field was expected") }
    let first = position + 1
    if let block = block(at: first) {
      let length = block.endOfPlainText.leadingFalseCount
      // The block is 16 bytes of the text, of which byte `length` is one. Any sixteen bytes are two integers.
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

  /// Reads a name that is long, has escapes, or is near the end.
  @usableFromInline @inline(never)
  package mutating func readLongKey() throws(JSONParseError) {
    let text = try scanString()
    key.range = text.range
    key.hasEscapes = text.hasEscapes
    // The range was scanned, and the array is a copy.
    let name = text.hasEscapes ? try unescaped(text.range) : unsafe Array(bytes(text.range).prefix(8))
    var word: UInt64 = 0
    for (index, byte) in name.prefix(8).enumerated() { word |= UInt64(byte) << (8 * UInt64(index)) }
    key.tag = Key.tag(length: text.hasEscapes ? name.count : text.range.count, firstEight: word)
  }

  /// Whether the current field is called `name`, if its tag is that of `name`: compares what the tag leaves open.
  @inlinable @inline(__always)
  package func isKey(_ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    if key.hasEscapes { return isEscapedKey(name) }
    guard count > 7 else { return true }
    // Tags are equal, so that the length modulo 256 is; names of the API are shorter. The literal has a pointer, as it has
    // more than one character, and both texts have `count` bytes.
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
    // The buffer is that of a literal, and is not kept.
    return name.withUTF8Buffer { unsafe key.elementsEqual($0) }
  }

  /// A name as a string.
  @usableFromInline package mutating func string(of key: Key) throws(JSONParseError) -> String {
    try string(ScannedString(range: key.range, hasEscapes: key.hasEscapes))
  }
}
