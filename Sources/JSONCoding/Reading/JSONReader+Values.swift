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
