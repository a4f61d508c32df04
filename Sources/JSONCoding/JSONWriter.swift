// SPDX-License-Identifier: Apache-2.0

/// Appends JSON text to one buffer, without whitespace.
@usableFromInline package struct JSONWriter {
  @usableFromInline package var bytes: [UInt8] = []
  @usableFromInline package var needsComma = false

  /// A field of a schema with a property.
  @usableFromInline package struct Field {
    @usableFromInline package let name: StaticString
    /// The value of the property, or `nil` if the field is not set.
    @usableFromInline package let value: (any Equatable)?

    @usableFromInline package init(name: StaticString, value: (any Equatable)?) {
      self.name = name
      self.value = value
    }
  }

  /// Whether the fields of a schema are collected in ``fields`` instead of being written.
  @usableFromInline package let isCollecting: Bool
  @usableFromInline package var fields: [Field] = []

  @usableFromInline package init(collecting: Bool = false) { isCollecting = collecting }
}

// MARK: Structure

extension JSONWriter {
  @inlinable @inline(__always)
  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  @inlinable @inline(__always)
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  @inlinable @inline(__always)
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  @inlinable @inline(__always)
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the comma before an element of an array.
  @inlinable @inline(__always)
  package mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  @usableFromInline package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    // The buffer is the literal's and does not escape.
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  @usableFromInline package mutating func key(_ name: String) {
    separate()
    write(name)
    bytes.append(UInt8(ascii: ":"))
  }

  @inlinable @inline(__always)
  package mutating func open(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = false
  }

  @inlinable @inline(__always)
  package mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }
}

// MARK: Values

extension JSONWriter {
  @usableFromInline package mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }

  @usableFromInline package mutating func write(_ value: Int) { write(raw: String(value)) }

  @usableFromInline package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(raw: "null")
    case .bool(let value): write(value)
    case .number(let value): write(raw: value.text)
    case .string(let value): write(value)
    case .array(let elements): write(elements) { $0.write($1) }
    case .object(let fields): write(fields) { $0.write($1) }
    }
  }

  /// Writes an array.
  ///
  /// `write` writes each element.
  @inlinable @inline(__always)
  package mutating func write<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
    beginArray()
    for element in elements {
      separate()
      write(&self, element)
    }
    endArray()
  }

  /// Writes an object sorted by name.
  ///
  /// `write` writes each value.
  @inlinable
  package mutating func write<Value>(_ fields: [String: Value], _ write: (inout JSONWriter, Value) -> Void) {
    beginObject()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      key(name)
      write(&self, value)
    }
    endObject()
  }

  /// Writes a string whose bytes `append` appends.
  ///
  /// None of its characters may need an escape.
  @inlinable @inline(__always)
  package mutating func writeUnescaped(_ append: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(raw text: String) { bytes.append(contentsOf: text.utf8) }

  @usableFromInline package mutating func write(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    // The buffer does not outlive the call.
    value.withUTF8 { unsafe appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the bytes of a string, 16 at a time where none needs an escape.
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
