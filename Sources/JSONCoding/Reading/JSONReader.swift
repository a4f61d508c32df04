// SPDX-License-Identifier: Apache-2.0

/// A pull parser for JSON text, strictly by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html), in one pass and without
/// an intermediate tree.
///
/// If a name is repeated, the last field wins, unless ``requiresUniqueNames`` is set.
///
/// The reader keeps a pointer to the text and therefore exists only inside ``reading(_:_:)``. Every load is preceded by a
/// comparison of its offset with ``end``.
@safe @usableFromInline package struct JSONReader {
  /// The maximum depth of nested arrays and objects.
  ///
  /// The responses of APIs need about ten levels.
  @inlinable package static var maximumDepth: Int { 128 }

  @usableFromInline package let start: UnsafePointer<UInt8>
  /// The number of bytes.
  @usableFromInline package let end: Int
  /// The offset of the next byte.
  @usableFromInline package var position = 0
  @usableFromInline package var depth = 0
  /// Whether no element of the innermost array or object has been read yet.
  @usableFromInline package var isFirst = false
  /// Whether an object with a repeated name is rejected.
  @usableFromInline package var requiresUniqueNames = false
  /// The name of the current field.
  @usableFromInline package var key = Key()
  /// A buffer for strings with escapes.
  @usableFromInline package var scratch: [UInt8] = []

  @inlinable
  package init(_ bytes: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>) {
    unsafe self.start = start
    end = bytes.count
  }
}

extension JSONReader {
  /// Reads one value that spans all of `bytes`, after an optional byte order mark
  /// ([RFC 8259 § 8.1](https://www.rfc-editor.org/rfc/rfc8259.html#section-8.1)).
  @inlinable
  package static func reading<Value>(
    _ bytes: [UInt8], _ read: (inout JSONReader) throws(JSONParseError) -> Value
  ) throws(JSONParseError) -> Value {
    unsafe try bytes.withUnsafeBufferPointer { (buffer) throws(JSONParseError) in
      guard let start = buffer.baseAddress else {
        throw JSONParseError(.syntax, "an empty body", at: 0)
      }
      var reader = unsafe JSONReader(buffer, at: start)
      try reader.checkBeginning()
      let value = try read(&reader)
      guard reader.peek() == nil else {
        throw JSONParseError(.syntax, "more content after the end of the JSON", at: reader.position)
      }
      return value
    }
  }

  @usableFromInline package mutating func checkBeginning() throws(JSONParseError) {
    if byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF {
      position = 3
    } else if let first = byte(at: 0), let second = byte(at: 1), first ^ second == 1, first & second == 0xFE {
      throw JSONParseError(.syntax, "the byte order mark of UTF-16 instead of UTF-8", at: 0)
    }
    let start = position
    guard let first = peek() else {
      throw JSONParseError(.syntax, "an empty body", at: start)
    }
    if first == UInt8(ascii: "<") { throw JSONParseError(.syntax, "a web page instead of JSON", at: position) }
  }

  /// A position to return to.
  @usableFromInline package struct Mark {
    @usableFromInline package let position: Int
    @usableFromInline package let depth: Int

    @inlinable package init(position: Int, depth: Int) {
      self.position = position
      self.depth = depth
    }
  }

  @inlinable package var mark: Mark { Mark(position: position, depth: depth) }

  @usableFromInline package mutating func rewind(to mark: Mark) {
    position = mark.position
    depth = mark.depth
    isFirst = false
  }
}

// MARK: Bytes

extension JSONReader {
  /// Returns the byte at an offset, or `nil` beyond the end.
  @inlinable @inline(__always)
  package func byte(at offset: Int) -> UInt8? {
    // The offset is never negative.
    offset < end ? unsafe start[offset] : nil
  }

  /// Returns the 16 bytes from an offset on, or `nil` if fewer are left.
  @inlinable @inline(__always)
  package func block(at offset: Int) -> SIMD16<UInt8>? {
    guard offset <= end - 16 else { return nil }
    return unsafe UnsafeRawPointer(start + offset).loadUnaligned(as: SIMD16<UInt8>.self)
  }

  /// Returns the bytes of a previously scanned range.
  @inlinable @inline(__always)
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// Advances to the next byte that is not whitespace and returns it, or `nil` at the end.
  @inlinable @inline(__always)
  package mutating func peek() -> UInt8? {
    if let byte = byte(at: position), byte > 0x20 { return byte }
    if let byte = byte(at: position + 1), byte > 0x20, unsafe start[position] == 0x20 {
      position += 1
      return byte
    }
    return peekPastWhitespace()
  }

  /// Advances to the next byte that is not whitespace, where a line break is likely, and returns it.
  ///
  /// One block of 16 bytes covers most indentations.
  @inlinable @inline(__always)
  package mutating func peekPastIndentation() -> UInt8? {
    if let byte = byte(at: position), byte > 0x20 { return byte }
    if let block = block(at: position) {
      let count = block.whitespace.leadingTrueCount
      position += count
      // The block has 16 bytes.
      if count < 16 { return unsafe start[position] }
    }
    return peekPastWhitespace()
  }

  @usableFromInline package mutating func peekPastWhitespace() -> UInt8? {
    while let block = block(at: position) {
      let count = block.whitespace.leadingTrueCount
      position += count
      if count < 16 { break }
    }
    while let byte = byte(at: position) {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }
}

// MARK: Structure

extension JSONReader {
  @inlinable
  package mutating func beginObject() throws(JSONParseError) {
    try open(UInt8(ascii: "{"), "an object was expected")
  }

  @inlinable
  package mutating func beginArray() throws(JSONParseError) {
    try open(UInt8(ascii: "["), "an array was expected")
  }

  /// Advances to the next element of the array, or returns `false` at its end.
  @inlinable
  package mutating func nextElement() throws(JSONParseError) -> Bool { try next(until: UInt8(ascii: "]")) }

  @inlinable @inline(__always)
  package mutating func open(_ bracket: UInt8, _ problem: StaticString) throws(JSONParseError) {
    guard peek() == bracket else { throw mismatch(problem) }
    guard depth < Self.maximumDepth else {
      throw JSONParseError(.syntax, "more than 128 levels of nesting", at: position)
    }
    depth += 1
    position += 1
    isFirst = true
  }

  /// Advances to the next element or name of the innermost array or object, or returns `false` at its end.
  @inlinable @inline(__always)
  package mutating func next(until end: UInt8) throws(JSONParseError) -> Bool {
    let byte = peek()
    if byte == UInt8(ascii: ","), !isFirst {
      position += 1
      return true
    }
    if byte == end {
      position += 1
      depth -= 1
      isFirst = false
      return false
    }
    guard isFirst else { throw unexpected("a comma or the end was expected") }
    isFirst = false
    return true
  }
}

// MARK: Errors

extension JSONReader {
  /// Returns the error for a value of the wrong kind, or for a missing value.
  @usableFromInline @inline(never)
  package mutating func mismatch(_ problem: StaticString) -> JSONParseError {
    peek() == nil ? cut : JSONParseError(.mismatch, problem, at: position)
  }

  @usableFromInline @inline(never)
  package func unexpected(_ problem: StaticString) -> JSONParseError {
    position < end ? JSONParseError(.syntax, problem, at: position) : cut
  }

  @usableFromInline package var cut: JSONParseError { JSONParseError(.syntax, "the JSON ends too early", at: end) }
}
