// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// What the generator writes for a schema: how its fields are read and written.
protocol SchemaCoding: CalendarSchema, JSONConvertible {
  /// Reads the value of the current field into the property of that name; `false` if there is none.
  mutating func readField(from reader: inout JSONReader) throws(JSONParseError) -> Bool

  /// Writes every field that has a property, in the order of their names.
  func writeFields(to writer: inout JSONWriter)

  /// The API's names of the fields that have a property.
  static var fieldNamesByKeyPath: [PartialKeyPath<Self>: String] { get }
}

extension SchemaCoding {
  /// Reads a value from JSON.
  public init(json: [UInt8]) throws(CalendarError) { try self.init(json: json, status: nil) }

  init(json: [UInt8], status: Int?) throws(CalendarError) {
    do throws(JSONParseError) {
      self = try JSONReader.reading(json) { (reader) throws(JSONParseError) in try Self(from: &reader) }
    } catch {
      throw CalendarError(malformed: error, status: status)
    }
  }

  /// Returns the value as JSON without whitespace.
  public func json() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The names of all fields that have a property.
  public static var fieldNames: [String] { Self().fields.map(\.name) }

  /// The type and the names of the fields that are set, never a value.
  public var debugDescription: String {
    let names = fields.filter(\.isSet).map(\.name) + additionalFields.keys.sorted()
    return "\(Self.self)(\(names.joined(separator: ", ")))"
  }

  /// The names of the fields that are set, never a value.
  public var customMirror: Mirror { Mirror(self, children: ["fields": debugDescription]) }

  /// The fields that have a property.
  private var fields: [JSONWriter.Field] {
    var writer = JSONWriter(naming: true)
    writeFields(to: &writer)
    return writer.fields
  }
}

extension SchemaCoding {
  @inline(__always)
  init(from reader: inout JSONReader) throws(JSONParseError) {
    self.init()
    try reader.readFields(of: &self)
  }

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeFields(to: &writer)
    if !additionalFields.isEmpty { writeAdditionalFields(to: &writer) }
    writer.endObject()
  }

  private func writeAdditionalFields(to writer: inout JSONWriter) {
    let written = Set(fields.filter(\.isSet).map(\.name))
    for (name, value) in additionalFields.sorted(by: { $0.key < $1.key }) where !written.contains(name) {
      writer.key(name)
      writer.write(value)
    }
  }
}
