// SPDX-License-Identifier: Apache-2.0

/// A value that is read from and written to JSON directly.
protocol JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONFault)
  func write(to writer: inout JSONWriter)
}

extension OpenEnumeration {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONFault) { self.init(rawValue: try reader.readString()) }

  @inline(__always)
  func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONFault) {
    self = try reader.readArray()
  }

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self {
      writer.separate()
      element.write(to: &writer)
    }
    writer.endArray()
  }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONFault) {
    self = try reader.readMap()
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}
