// SPDX-License-Identifier: Apache-2.0

import HexColor
import Timekeeping

/// A value that a field can hold without fields of its own.
protocol JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault)
  func write(to writer: inout JSONWriter)
}

extension String: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) { self = try reader.readString() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) { self = try reader.readBool() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) {
    let start = reader.offset
    guard let value = try reader.readNumber().integer else {
      throw JSONFault(.mismatch, "a number that is not whole or too large", at: start)
    }
    self = value
  }

  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension JSONValue: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) { self = try reader.readValue() }
  func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Timestamp: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) {
    self = try reader.readText("a time that is not one of RFC 3339") { try? Timestamp(rfc3339: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendRFC3339(to: &$0) } }
}

extension OffsetDateTime: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) {
    self = try reader.readText("a time that is not one of RFC 3339") { try? OffsetDateTime(rfc3339: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendRFC3339(to: &$0) } }
}

extension CivilDate: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) {
    self = try reader.readText("a date that is not YYYY-MM-DD") { try? CivilDate(rfc3339: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendRFC3339(to: &$0) } }
}

extension RGBColor: JSONScalar {
  init(from reader: inout JSONReader) throws(JSONFault) {
    self = try reader.readText("a colour that is not #rrggbb") { try? RGBColor(hex: $0) }
  }

  func write(to writer: inout JSONWriter) { writer.writeUnescaped { appendHex(to: &$0) } }
}
