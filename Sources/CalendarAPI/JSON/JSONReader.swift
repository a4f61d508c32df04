// SPDX-License-Identifier: Apache-2.0

/// Pulls values out of JSON text, strictly by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html), in one pass and
/// without a tree in between.
///
/// Of a repeated name the last counts.
struct JSONReader {
  /// How deep arrays and objects may be nested.
  ///
  /// The API's own answers need fewer than ten levels.
  static let maximumDepth = 128

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  private var key = 0..<0
  private var keyHasEscapes = false
  /// The bytes that a key with escapes stands for: undone once, however many names it is compared with.
  private var unescapedKey: [UInt8] = []

  /// A reader of nothing.
  init() { bytes = [] }

  /// Starts at the first value of `bytes`.
  init(_ bytes: [UInt8]) throws(JSONFault) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw JSONFault(.syntax, "a byte order mark, which JSON must not have", at: 0)
    }
    guard let first = peek() else { throw JSONFault(.syntax, "no content where JSON was expected", at: 0) }
    if first == UInt8(ascii: "<") { throw JSONFault(.syntax, "a web page where JSON was expected", at: position) }
  }

  /// Checks that nothing but whitespace is left.
  mutating func finish() throws(JSONFault) {
    guard peek() == nil else { throw JSONFault(.syntax, "more content after the end of the JSON", at: position) }
  }

  /// A place to go back to.
  struct Mark {
    fileprivate let position: Int
    fileprivate let depth: Int
  }

  /// Bytes from the start.
  var offset: Int { position }

  var mark: Mark { Mark(position: position, depth: depth) }

  mutating func rewind(to mark: Mark) {
    position = mark.position
    depth = mark.depth
  }
}

// MARK: Structure

extension JSONReader {
  mutating func beginObject() throws(JSONFault) {
    try open(UInt8(ascii: "{"), "something that is not an object where one was expected")
  }

  /// Goes to the next field of the object; `false` at its end.
  mutating func nextKey(_ isFirst: inout Bool) throws(JSONFault) -> Bool {
    guard try next(&isFirst, until: UInt8(ascii: "}")) else { return false }
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a field's name was expected") }
    (key, keyHasEscapes) = try scanString()
    if keyHasEscapes { unescapedKey = try unescaped(key) }
    guard peek() == UInt8(ascii: ":") else { throw unexpected("a colon was expected") }
    position += 1
    return true
  }

  mutating func beginArray() throws(JSONFault) {
    try open(UInt8(ascii: "["), "something that is not an array where one was expected")
  }

  /// Goes to the next element of the array; `false` at its end.
  mutating func nextElement(_ isFirst: inout Bool) throws(JSONFault) -> Bool {
    try next(&isFirst, until: UInt8(ascii: "]"))
  }

  private mutating func open(_ bracket: UInt8, _ problem: StaticString) throws(JSONFault) {
    guard peek() == bracket else { throw mismatch(problem) }
    guard depth < Self.maximumDepth else { throw JSONFault(.syntax, "more than 128 levels of nesting", at: position) }
    depth += 1
    position += 1
  }

  private mutating func next(_ isFirst: inout Bool, until end: UInt8) throws(JSONFault) -> Bool {
    let byte = peek()
    if byte == end {
      position += 1
      depth -= 1
      return false
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw unexpected("a comma or the end was expected") }
      position += 1
    }
    return true
  }

  /// The next byte that is not whitespace, or `nil` at the end.
  private mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  /// The fault of a value of the wrong kind, or of none at all.
  private mutating func mismatch(_ problem: StaticString) -> JSONFault {
    peek() == nil ? cut : JSONFault(.mismatch, problem, at: position)
  }

  private func unexpected(_ problem: StaticString) -> JSONFault {
    position < bytes.count ? JSONFault(.syntax, problem, at: position) : cut
  }

  private var cut: JSONFault { JSONFault(.syntax, "the JSON ends too early", at: bytes.count) }
}

// MARK: Names

extension JSONReader {
  /// Whether the current field is called `name`.
  @inline(__always)
  func isKey(_ name: StaticString) -> Bool {
    if keyHasEscapes { return isUnescapedKey(name) }
    guard key.count == name.utf8CodeUnitCount else { return false }
    // The names are literals of more than one character, so that the string has a pointer, and `key` lies within `bytes`.
    let start = unsafe name.utf8Start
    for index in 0..<key.count where unsafe bytes[key.lowerBound + index] != start[index] { return false }
    return true
  }

  @inline(never)
  private func isUnescapedKey(_ name: StaticString) -> Bool {
    name.withUTF8Buffer { unsafe unescapedKey.elementsEqual($0) }
  }

  /// The current field's name.
  func keyString() throws(JSONFault) -> String {
    guard keyHasEscapes else { return try string(key, hasEscapes: false) }
    guard let string = String(validating: unescapedKey, as: UTF8.self) else {
      throw JSONFault(.syntax, "a string that is not UTF-8", at: key.lowerBound)
    }
    return string
  }
}

// MARK: Values

extension JSONReader {
  /// Reads past `null` if it is next.
  mutating func skipNull() throws(JSONFault) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  mutating func readBool() throws(JSONFault) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw mismatch("something that is not true or false where one was expected")
    }
  }

  mutating func readString() throws(JSONFault) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch("something that is not a string where one was expected") }
    let (range, hasEscapes) = try scanString()
    return try string(range, hasEscapes: hasEscapes)
  }

  /// Reads a string whose bytes `parse` understands; `nil` from it is a mismatch.
  mutating func readText<Value>(
    _ problem: StaticString, _ parse: (Span<UInt8>) -> Value?
  ) throws(JSONFault) -> Value {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch("something that is not a string where one was expected") }
    let (range, hasEscapes) = try scanString()
    let text = hasEscapes ? try unescaped(range)[...] : bytes[range]
    guard let value = parse(text.span) else { throw JSONFault(.mismatch, problem, at: range.lowerBound) }
    return value
  }

  mutating func readNumber() throws(JSONFault) -> JSONNumber {
    guard let byte = peek(), byte == UInt8(ascii: "-") || isDigit(byte) else {
      throw mismatch("something that is not a number where one was expected")
    }
    return JSONNumber(unchecked: String(decoding: bytes[try scanNumber()], as: UTF8.self))
  }

  mutating func readValue() throws(JSONFault) -> JSONValue {
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
      var isFirst = true
      while try nextElement(&isFirst) { elements.append(try readValue()) }
      return .array(elements)
    case UInt8(ascii: "{"):
      try beginObject()
      var fields: [String: JSONValue] = [:]
      var isFirst = true
      while try nextKey(&isFirst) { fields[try keyString()] = try readValue() }
      return .object(fields)
    default: throw unexpected("a value was expected")
    }
  }

  private mutating func literal(_ word: StaticString) throws(JSONFault) {
    // The words are literals of more than one character, so that the string has a pointer.
    let start = unsafe word.utf8Start
    for index in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count else { throw cut }
      guard unsafe bytes[position] == start[index] else { throw unexpected("a value was expected") }
      position += 1
    }
  }

  private mutating func scanNumber() throws(JSONFault) -> Range<Int> {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
    if current == UInt8(ascii: ".") {
      position += 1
      try scanDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try scanDigits()
    }
    return start..<position
  }

  private mutating func scanDigits() throws(JSONFault) {
    let start = position
    while let byte = current, isDigit(byte) { position += 1 }
    guard position > start else { throw unexpected("a digit was expected") }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }
}

// MARK: Strings

extension JSONReader {
  /// Goes past a string and returns where its content is.
  private mutating func scanString() throws(JSONFault) -> (content: Range<Int>, hasEscapes: Bool) {
    position += 1
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return (start..<(position - 1), hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position += 1
      } else if byte < 0x20 {
        throw unexpected("a control character in a string")
      }
      position += 1
    }
    throw cut
  }

  private func string(_ range: Range<Int>, hasEscapes: Bool) throws(JSONFault) -> String {
    let string =
      hasEscapes
      ? String(validating: try unescaped(range), as: UTF8.self) : String(validating: bytes[range], as: UTF8.self)
    guard let string else { throw JSONFault(.syntax, "a string that is not UTF-8", at: range.lowerBound) }
    return string
  }

  private func unescaped(_ range: Range<Int>) throws(JSONFault) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      // `scanString` has seen to it that a character follows every backslash.
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(escape)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        guard let unit = hexDigits(at: index, before: range.upperBound) else {
          throw JSONFault(.syntax, "an escape without four hexadecimal digits", at: index)
        }
        index += 4
        result.append(contentsOf: Character(scalar(unit, &index, range.upperBound)).utf8)
      default: throw JSONFault(.syntax, "an escape that JSON does not have", at: index - 1)
      }
    }
    return result
  }

  /// Joins a surrogate pair; a half that stands alone becomes U+FFFD, as in every tolerant reader.
  private func scalar(_ unit: UInt32, _ index: inout Int, _ end: Int) -> Unicode.Scalar {
    if (0xD800..<0xDC00).contains(unit), index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u"), let low = hexDigits(at: index + 2, before: end),
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
    for byte in bytes[index..<(index + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
