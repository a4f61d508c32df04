// SPDX-License-Identifier: Apache-2.0

import HexColor
import JSONCoding
import Timekeeping

/// A value decoded from and encoded to JSON directly.
protocol JSONConvertible: Equatable {
  init(from reader: inout JSONReader) throws(JSONParseError)
  func write(to writer: inout JSONWriter)
  /// The value as JSON, equivalent to the text of ``write(to:)``.
  var jsonValue: JSONValue { get }
}

extension OpenEnumeration {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONParseError) { self.init(rawValue: try reader.readString()) }

  @inline(__always)
  func write(to writer: inout JSONWriter) { writer.write(rawValue) }

  var jsonValue: JSONValue { .string(rawValue) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readArray()
  }

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.write(self) { $1.write(to: &$0) }
  }

  var jsonValue: JSONValue { .array(map { $0.jsonValue }) }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readMap()
  }

  func write(to writer: inout JSONWriter) {
    writer.write(self) { $1.write(to: &$0) }
  }

  var jsonValue: JSONValue { .object(mapValues { $0.jsonValue }) }
}

extension String: JSONConvertible {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONParseError) { self = try reader.readString() }
  @inline(__always)
  func write(to writer: inout JSONWriter) { writer.write(self) }
  var jsonValue: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) { self = try reader.readBool() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
  var jsonValue: JSONValue { .bool(self) }
}

extension Int: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) { self = try reader.readInteger() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
  var jsonValue: JSONValue { .number(JSONNumber(self)) }
}

/// A 64-bit integer, which the API encodes as a string. The decoder also accepts a number, because Google's examples contain one.
extension Int64: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    guard reader.peek() == UInt8(ascii: "\"") else {
      self = Int64(try reader.readInteger())
      return
    }
    let start = reader.position
    guard let value = Int64(try reader.readString()) else {
      throw JSONParseError(.mismatch, at: start)
    }
    self = value
  }

  func write(to writer: inout JSONWriter) { writer.write(String(self)) }
  var jsonValue: JSONValue { .string(String(self)) }
}

extension JSONValue: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) { self = try reader.readValue() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
  var jsonValue: JSONValue { self }
}

extension Timestamp: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readText { try? Timestamp(rfc3339: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendRFC3339(to: &$0) } }
  var jsonValue: JSONValue { JSONValue(ofText: { appendRFC3339(to: &$0) }) }
}

extension OffsetDateTime: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readText { try? OffsetDateTime(rfc3339: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendRFC3339(to: &$0) } }
  var jsonValue: JSONValue { JSONValue(ofText: { appendRFC3339(to: &$0) }) }
}

extension CivilDate: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readText { try? CivilDate(rfc3339: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendRFC3339(to: &$0) } }
  var jsonValue: JSONValue { JSONValue(ofText: { appendRFC3339(to: &$0) }) }
}

extension RGBColor: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readText { try? RGBColor(hex: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendHex(to: &$0) } }
  var jsonValue: JSONValue { JSONValue(ofText: { appendHex(to: &$0) }) }
}

extension Equatable {
  /// Returns whether `other` has the same type and is equal.
  func equals(_ other: any Equatable) -> Bool { other as? Self == self }
}

extension JSONWriter.Field {
  /// The value as JSON, or `nil` if the field is not set.
  var jsonValue: JSONValue? { (value as? any JSONConvertible)?.jsonValue }
}

extension JSONValue {
  /// Creates a string from the bytes appended by `append`.
  fileprivate init(ofText append: (inout [UInt8]) -> Void) {
    var text: [UInt8] = []
    append(&text)
    self = .string(String(decoding: text, as: UTF8.self))
  }
}

extension JSONConvertible {
  /// Creates a value from JSON, or returns `nil` if it has another type.
  init?(_ value: JSONValue) {
    let read = try? JSONReader.reading(value.json()) { (reader) throws(JSONParseError) in try Self(from: &reader) }
    guard let read else { return nil }
    self = read
  }
}
