// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads past `null` if it is next.
  @inlinable @inline(__always)
  package mutating func skipNull() throws(JSONParseError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  @usableFromInline package mutating func readBool() throws(JSONParseError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw mismatch("true or false was expected")
    }
  }

  @usableFromInline package mutating func readValue() throws(JSONParseError) -> JSONValue {
    guard let byte = peek() else { throw cut }
    switch byte {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try readBool())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    case UInt8(ascii: "["):
      try beginArray()
      var elements: [JSONValue] = []
      while try nextElement() { elements.append(try readValue()) }
      return .array(elements)
    case UInt8(ascii: "{"):
      try beginObject()
      var fields: [String: JSONValue] = [:]
      while try nextKey() {
        let name = try string(of: key)
        if requiresUniqueNames, fields[name] != nil {
          throw JSONParseError(.repeatedName, at: key.range.lowerBound)
        }
        fields[name] = try readValue()
      }
      return .object(fields)
    default: throw unexpected("a value was expected")
    }
  }

  @usableFromInline @inline(never)
  package mutating func literal(_ word: StaticString) throws(JSONParseError) {
    // The words are literals of more than one character, so that the string has a pointer.
    let text = unsafe word.utf8Start
    for index in 0..<word.utf8CodeUnitCount {
      guard let byte = byte(at: position) else { throw cut }
      guard unsafe byte == text[index] else { throw unexpected("a value was expected") }
      position += 1
    }
  }
}

// MARK: Numbers

extension JSONReader {
  @usableFromInline package mutating func readNumber() throws(JSONParseError) -> JSONNumber {
    guard let byte = peek(), byte == UInt8(ascii: "-") || isDigit(byte) else {
      throw mismatch("a number was expected")
    }
    let range = try scanNumber()
    // Safe: the range was scanned, so it is in the buffer, and the string is a copy.
    return JSONNumber(unchecked: unsafe String(decoding: bytes(range), as: UTF8.self))
  }

  /// Reads a whole number.
  @usableFromInline package mutating func readInteger() throws(JSONParseError) -> Int {
    if let short = readShortInteger() { return short }
    let start = position
    guard let value = try readNumber().integer else {
      throw JSONParseError(.mismatch, "a number that is too large or not an integer", at: start)
    }
    return value
  }

  /// Reads a number of up to 18 digits without sign, fraction, exponent or leading zeros, before a comma, a brace or whitespace.
  ///
  /// - Returns: `nil`, without advancing, for any other value.
  @inline(__always)
  private mutating func readShortInteger() -> Int? {
    guard let first = peek(), isDigit(first) else { return nil }
    var value = Int(first & 0xF)
    var offset = position + 1
    while let byte = byte(at: offset), isDigit(byte), offset - position < 18 {
      value = value &* 10 &+ Int(byte & 0xF)
      offset += 1
    }
    guard let next = byte(at: offset), next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next <= 0x20,
      first != UInt8(ascii: "0") || offset == position + 1
    else { return nil }
    position = offset
    return value
  }

  private mutating func scanNumber() throws(JSONParseError) -> Range<Int> {
    let start = position
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
    if byte(at: position) == UInt8(ascii: ".") {
      position += 1
      try scanDigits()
    }
    if let byte = byte(at: position), byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if let sign = self.byte(at: position), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try scanDigits()
    }
    return start..<position
  }

  private mutating func scanDigits() throws(JSONParseError) {
    let start = position
    while let byte = byte(at: position), isDigit(byte) { position += 1 }
    guard position > start else { throw unexpected("a digit was expected") }
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
