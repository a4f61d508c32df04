// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A value that is read from and written to JSON directly.
protocol JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError)
  func write(to writer: inout JSONWriter)
}

extension OpenEnumeration {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONParseError) { self.init(rawValue: try reader.readString()) }

  @inline(__always)
  func write(to writer: inout JSONWriter) { writer.write(rawValue) }
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
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self = try reader.readMap()
  }

  func write(to writer: inout JSONWriter) {
    writer.write(self) { $1.write(to: &$0) }
  }
}
