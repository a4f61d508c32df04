// SPDX-License-Identifier: Apache-2.0

/// The range of a string's content in the text.
@usableFromInline package struct ScannedString {
  @usableFromInline package let range: Range<Int>
  @usableFromInline package let hasEscapes: Bool
  /// Whether all bytes are known to be ASCII.
  @usableFromInline package var isASCII = false

  @inlinable package init(range: Range<Int>, hasEscapes: Bool, isASCII: Bool = false) {
    self.range = range
    self.hasEscapes = hasEscapes
    self.isASCII = isASCII
  }
}

extension SIMD16<UInt8> {
  /// A mask of the bytes that end a run of plain characters: quotes, backslashes and control characters.
  @inlinable @inline(__always)
  package var endOfPlainText: SIMDMask<SIMD16<Int8>> {
    (self .== SIMD16<UInt8>(repeating: UInt8(ascii: "\""))) .| (self .== SIMD16<UInt8>(repeating: UInt8(ascii: "\\")))
      .| (self .< SIMD16<UInt8>(repeating: 0x20))
  }
}

extension JSONReader {
  @usableFromInline package mutating func readString() throws(JSONParseError) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch("a string was expected") }
    return try string(try scanString())
  }

  /// Reads a string and parses its bytes.
  ///
  /// If `parse` returns `nil`, throws a mismatch.
  @inlinable @inline(__always)
  package mutating func readText<Value>(
    _ parse: (Span<UInt8>) -> Value?
  ) throws(JSONParseError) -> Value {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch("a string was expected") }
    let text = try scanString()
    var value: Value?
    if text.hasEscapes {
      let unescaped = try unescaped(text.range)
      value = parse(unescaped.span)
    } else {
      // The span does not outlive the call of `parse`.
      let bytes = unsafe bytes(text.range)
      value = unsafe parse(bytes.span)
    }
    guard let value else { throw JSONParseError(.mismatch, at: text.range.lowerBound) }
    return value
  }

  /// Advances past the string that begins at the current quotation mark.
  @inlinable @inline(__always)
  package mutating func scanString() throws(JSONParseError) -> ScannedString {
    let first = position + 1
    position = first
    var isASCII = true
    while let block = block(at: position) {
      let count = block.endOfPlainText.leadingFalseCount
      position += count
      isASCII = isASCII && block.isASCII(first: count)
      if count == 16 { continue }
      // `position` is within the block, which is part of the text.
      guard unsafe start[position] == UInt8(ascii: "\"") else { break }
      position += 1
      return ScannedString(range: first..<position - 1, hasEscapes: false, isASCII: isASCII)
    }
    return try scanRest(from: first)
  }

  @usableFromInline @inline(never)
  package mutating func scanRest(from first: Int) throws(JSONParseError) -> ScannedString {
    var hasEscapes = false
    while let byte = byte(at: position) {
      if byte == UInt8(ascii: "\"") {
        position += 1
        return ScannedString(range: first..<position - 1, hasEscapes: hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position += 2
      } else if byte < 0x20 {
        throw unexpected("a control character in a string")
      } else if let block = block(at: position) {
        // The current byte is plain: the count is at least 1.
        position += block.endOfPlainText.leadingFalseCount
      } else {
        position += 1
      }
    }
    throw cut
  }

  @inlinable @inline(__always)
  package mutating func string(_ text: ScannedString) throws(JSONParseError) -> String {
    guard text.isASCII else { return try checkedString(text) }
    // Safe: the range was scanned, so it is in the buffer, and the string is a copy.
    return unsafe String(decoding: bytes(text.range), as: UTF8.self)
  }

  /// Returns a string that has escapes or whose bytes may not be UTF-8.
  @usableFromInline @inline(never)
  package mutating func checkedString(_ text: ScannedString) throws(JSONParseError) -> String {
    guard !text.hasEscapes else { return try stringWithEscapes(text.range) }
    let bytes = unsafe bytes(text.range)
    let string = unsafe String(decoding: bytes, as: UTF8.self)
    guard unsafe string.has(bytes) else { throw notUTF8(text.range) }
    return string
  }

  @inline(never)
  private mutating func stringWithEscapes(_ range: Range<Int>) throws(JSONParseError) -> String {
    // The swap leaves one reference to the buffer, which avoids a copy.
    var buffer: [UInt8] = []
    swap(&buffer, &scratch)
    if buffer.count < range.count { buffer = [UInt8](repeating: 0, count: 2 * range.count) }
    // The buffer is as long as the string.
    let result = unsafe try buffer.withUnsafeMutableBufferPointer { (buffer) throws(JSONParseError) -> String? in
      let count = unsafe try unescape(range, into: buffer)
      let bytes = unsafe UnsafeBufferPointer(rebasing: buffer[..<count])
      let string = unsafe String(decoding: bytes, as: UTF8.self)
      return unsafe string.has(bytes) ? string : nil
    }
    swap(&buffer, &scratch)
    guard let result else { throw notUTF8(range) }
    return result
  }

  private func notUTF8(_ range: Range<Int>) -> JSONParseError {
    JSONParseError(.syntax, "a string that is not UTF-8", at: range.lowerBound)
  }
}

// MARK: Escapes

extension JSONReader {
  /// Returns the unescaped bytes of a string.
  @usableFromInline @inline(never)
  package func unescaped(_ range: Range<Int>) throws(JSONParseError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: range.count)
    // The array is as long as the string.
    let count = unsafe try result.withUnsafeMutableBufferPointer { (buffer) throws(JSONParseError) in
      unsafe try unescape(range, into: buffer)
    }
    result.removeSubrange(count...)
    return result
  }

  /// Writes the unescaped bytes of a string and returns their number.
  ///
  /// An escape is at least as long as its character. `count` therefore never exceeds the number of bytes read, and a target as
  /// long as the string has space for every store.
  private func unescape(
    _ range: Range<Int>, into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(JSONParseError) -> Int {
    let backslash = UInt8(ascii: "\\")
    var (index, count) = (range.lowerBound, 0)
    while index < range.upperBound {
      // The whole block is copied but counts only up to the first escape. It fits into the target because `count` is at most the
      // number of bytes read.
      while index + 16 <= range.upperBound, let block = block(at: index) {
        unsafe UnsafeMutableRawBufferPointer(target).storeBytes(of: block, toByteOffset: count, as: SIMD16<UInt8>.self)
        let plain = (block .== SIMD16<UInt8>(repeating: backslash)).leadingFalseCount
        index += plain
        count += plain
        if plain < 16 { break }
      }
      while index < range.upperBound, unsafe start[index] != backslash {
        unsafe target[count] = start[index]
        index += 1
        count += 1
      }
      guard index < range.upperBound else { break }
      // `scanString` ensures that a character follows every backslash.
      let escape = unsafe start[index + 1]
      index += 2
      var character = escape
      switch escape {
      case UInt8(ascii: "\""), backslash, UInt8(ascii: "/"): break
      case UInt8(ascii: "b"): character = 0x08
      case UInt8(ascii: "f"): character = 0x0C
      case UInt8(ascii: "n"): character = 0x0A
      case UInt8(ascii: "r"): character = 0x0D
      case UInt8(ascii: "t"): character = 0x09
      case UInt8(ascii: "u"):
        guard let unit = hexDigits(at: index, before: range.upperBound) else {
          throw JSONParseError(.syntax, "an escape without four hexadecimal digits", at: index)
        }
        index += 4
        let scalar = scalar(unit, &index, range.upperBound)
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          unsafe target[count] = byte
          count += 1
        }
        continue
      default: throw JSONParseError(.syntax, "an invalid escape", at: index - 1)
      }
      unsafe target[count] = character
      count += 1
    }
    return count
  }

  /// Joins a surrogate pair.
  ///
  /// An unpaired surrogate becomes U+FFFD.
  private func scalar(_ unit: UInt32, _ index: inout Int, _ end: Int) -> Unicode.Scalar {
    if (0xD800..<0xDC00).contains(unit), index + 1 < end, byte(at: index) == UInt8(ascii: "\\"),
      byte(at: index + 1) == UInt8(ascii: "u"), let low = hexDigits(at: index + 2, before: end),
      (0xDC00..<0xE000).contains(low)
    {
      index += 6
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }
    return Unicode.Scalar(unit) ?? "\u{FFFD}"
  }

  private func hexDigits(at index: Int, before end: Int) -> UInt32? {
    guard index + 4 <= end else { return nil }
    var value: UInt32 = 0
    for offset in index..<index + 4 {
      // Safe: the caller's range was scanned, so it is in the buffer.
      let byte = unsafe start[offset]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        value = value << 4 | UInt32(byte & 0xF) + 9
      default: return nil
      }
    }
    return value
  }
}

extension String {
  /// Whether the string has exactly these bytes.
  ///
  /// If the bytes are not valid UTF-8, a string decoded from them has other bytes.
  @inline(__always)
  fileprivate func has(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count else { return false }
    let same = unsafe utf8.withContiguousStorageIfAvailable { own in unsafe own.isSame(as: bytes) }
    // A string decoded from bytes has contiguous storage.
    return same ?? false
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether another buffer of the same length has the same bytes, compared eight at a time.
  fileprivate func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    // Every load lies within both buffers.
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var offset = 0
    while offset + 8 <= count {
      let (own, its) = unsafe (
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
        right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
      guard own == its else { return false }
      offset += 8
    }
    while offset < count {
      guard unsafe self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }
}
