// SPDX-License-Identifier: Apache-2.0

/// Appends JSON text to one buffer, without whitespace.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func beginObject() { open(UInt8(ascii: "{")) }
  mutating func endObject() { close(UInt8(ascii: "}")) }
  mutating func beginArray() { open(UInt8(ascii: "[")) }
  mutating func endArray() { close(UInt8(ascii: "]")) }

  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    // The buffer is that of a literal, and is not kept.
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    endKey()
  }

  mutating func key(_ name: String) {
    write(name)
    endKey()
  }

  mutating func write(_ value: Bool) { write(raw: value ? "true" : "false") }

  mutating func write(_ value: Int) { write(raw: String(value)) }

  mutating func write(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
      case 0..<0x20:
        bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
        bytes.append(contentsOf: String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a string of which `append` is known to write no character that must be escaped.
  mutating func writeUnescaped(_ append: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(raw: "null")
    case .bool(let value): write(value)
    case .number(let value): write(raw: value.text)
    case .string(let value): write(value)
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let fields):
      beginObject()
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        key(name)
        write(value)
      }
      endObject()
    }
  }

  private mutating func write(raw text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}
