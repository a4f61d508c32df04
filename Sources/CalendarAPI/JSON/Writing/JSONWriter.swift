// SPDX-License-Identifier: Apache-2.0

/// Appends JSON text to one buffer, without whitespace.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// A field that has a property.
  struct Field {
    let name: String
    let isSet: Bool
  }

  /// Whether the fields of a schema are collected in ``fields`` and not written.
  private let isNaming: Bool
  private(set) var fields: [Field] = []

  init(naming: Bool = false) { isNaming = naming }
}

// MARK: Structure

extension JSONWriter {
  /// Writes a field of a schema if it is set.
  @inline(__always)
  mutating func field<Value: JSONConvertible>(_ name: StaticString, _ value: Value?) {
    guard !isNaming else {
      fields.append(Field(name: name.description, isSet: value != nil))
      return
    }
    guard let value else { return }
    key(name)
    value.write(to: &self)
  }

  @inline(__always)
  mutating func beginObject() { open(UInt8(ascii: "{")) }
  @inline(__always)
  mutating func endObject() { close(UInt8(ascii: "}")) }
  @inline(__always)
  mutating func beginArray() { open(UInt8(ascii: "[")) }
  @inline(__always)
  mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the comma before an element of an array.
  @inline(__always)
  mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    // The buffer is that of a literal, and is not kept.
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func key(_ name: String) {
    separate()
    write(name)
    bytes.append(UInt8(ascii: ":"))
  }

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }
}

// MARK: Values

extension JSONWriter {
  mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }

  mutating func write(_ value: Int) { write(raw: String(value)) }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(raw: "null")
    case .bool(let value): write(value)
    case .number(let value): write(raw: value.text)
    case .string(let value): write(value)
    case .array(let elements): elements.write(to: &self)
    case .object(let fields): fields.write(to: &self)
    }
  }

  /// Writes a string of which `append` is known to write no character that must be escaped.
  @inline(__always)
  mutating func writeUnescaped(_ append: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(raw text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func write(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    // The buffer does not outlive the call.
    value.withUTF8 { unsafe appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the bytes of a string, 16 at a time where none has to be escaped.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var plain = 0
    var index = 0
    while index < text.count {
      if index + 16 <= text.count {
        // The block lies within the buffer.
        let block = unsafe UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        let count = block.endOfPlainText.leadingFalseCount
        index += count
        if count == 16 { continue }
      }
      let byte = unsafe text[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        unsafe bytes.append(contentsOf: text[plain..<index])
        appendEscape(byte)
        plain = index + 1
      }
      index += 1
    }
    unsafe bytes.append(contentsOf: text[plain..<index])
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    default:
      bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    }
  }
}
