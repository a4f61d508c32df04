// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A plain reader of JSON by RFC 8259, byte by byte, which the module's own is compared with.
struct PlainJSON {
  private var rest: ArraySlice<UInt8>
  private var hasRepeatedName = false

  /// The value of a text; `nil` if it is not JSON.
  static func read(_ bytes: [UInt8]) -> JSONValue? {
    var reader = PlainJSON(rest: bytes[...])
    _ = reader.take("\u{FEFF}")
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.rest.isEmpty ? value : nil
  }

  /// Whether an object of a text has a name twice, as far as the text is JSON.
  static func hasRepeatedName(_ bytes: [UInt8]) -> Bool {
    var reader = PlainJSON(rest: bytes[...])
    _ = reader.value(depth: 0)
    return reader.hasRepeatedName
  }

  private mutating func skipSpace() { rest = rest.drop { " \n\r\t".utf8.contains($0) } }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    if take("null") { return .null }
    if take("true") { return true }
    if take("false") { return false }
    switch rest.first {
    case UInt8(ascii: "\""): return string().map(JSONValue.string)
    case UInt8(ascii: "["): return depth < 128 ? array(depth: depth + 1) : nil
    case UInt8(ascii: "{"): return depth < 128 ? object(depth: depth + 1) : nil
    default: return number()
    }
  }

  private mutating func array(depth: Int) -> JSONValue? {
    rest = rest.dropFirst()
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      guard let element = value(depth: depth) else { return nil }
      elements.append(element)
      skipSpace()
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func object(depth: Int) -> JSONValue? {
    rest = rest.dropFirst()
    var fields: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(fields) }
    repeat {
      skipSpace()
      guard rest.first == UInt8(ascii: "\""), let name = string() else { return nil }
      skipSpace()
      guard take(":") else { return nil }
      if fields[name] != nil { hasRepeatedName = true }
      guard let value = value(depth: depth) else { return nil }
      fields[name] = value
      skipSpace()
    } while take(",")
    return take("}") ? .object(fields) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = rest
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    if rest.first == UInt8(ascii: "0") { rest = rest.dropFirst() } else { guard digits() else { return nil } }
    if take(".") { guard digits() else { return nil } }
    if take("e") || take("E") {
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard digits() else { return nil }
    }
    let text = start[..<rest.startIndex]
    // The only way to a number with given digits is to read it.
    guard let number = try? JSONValue(json: Array(text)), number.number?.text.utf8.elementsEqual(text) == true else {
      return nil
    }
    return number
  }

  private mutating func digits() -> Bool {
    let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest = rest.dropFirst(count)
    return count > 0
  }

  private mutating func string() -> String? {
    rest = rest.dropFirst()
    var units: [UInt8] = []
    var high: UInt32?
    func flushed(_ high: UInt32?) -> [UInt8] { high == nil ? [] : Array("\u{FFFD}".utf8) }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u") {
        let digits = String(decoding: rest.dropFirst().prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
          let unit = UInt32(digits, radix: 16)
        else { return nil }
        rest = rest.dropFirst(5)
        switch unit {
        case 0xD800..<0xDC00:
          units += flushed(high)
          high = unit
        case 0xDC00..<0xE000:
          let scalar = high.flatMap { Unicode.Scalar(0x10000 + ($0 - 0xD800) << 10 + (unit - 0xDC00)) }
          units += Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
          high = nil
        default:
          units += flushed(high)
          high = nil
          units += Array(String(Character(Unicode.Scalar(unit) ?? "\u{FFFD}")).utf8)
        }
        continue
      }
      units += flushed(high)
      high = nil
      switch byte {
      case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
      case 0..<0x20: return nil
      case UInt8(ascii: "\\"):
        let escapes: [Character: String] = [
          "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        guard let next = rest.popFirst(), let text = escapes[Character(Unicode.Scalar(next))] else { return nil }
        units += Array(text.utf8)
      default: units.append(byte)
      }
    }
    return nil
  }
}
