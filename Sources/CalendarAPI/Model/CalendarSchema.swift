// SPDX-License-Identifier: Apache-2.0

public import JSONCoding

/// A schema of the Calendar API: an object whose fields have Google's names.
///
/// Every field is optional: `nil` means that the server did not send it, or a request omits it. Unknown fields and
/// values of another type are kept in ``additionalFields``, and unknown values of an enumeration are kept unchanged
/// (``OpenEnumeration``). Decoding and encoding a value preserves everything except the order of fields, whitespace,
/// `null` fields, and the notation of times, colours and numbers with a property.
///
/// ```swift
/// let event = Event {
///   $0.summary = "Lunch"
///   $0.start = EventDateTime(date: day)
/// }
/// ```
///
/// The types of this module conform. The description contains the names of the fields that are set and never a value:
/// calendars are private, and some fields are secrets (a conference's PIN, a sync token). ``json()`` returns the
/// content. `Codable` decodes and encodes the same fields with any coder. ``init(json:)`` and ``json()`` are faster.
public protocol CalendarSchema: Sendable, Hashable, Codable, CustomDebugStringConvertible, CustomReflectable {
  /// Creates a value without any field.
  init()

  /// Creates a value from JSON, such as the result of ``json()``.
  ///
  /// - Throws: ``CalendarError`` with code ``CalendarError/Code/malformedResponse``, which states the problem and its place.
  init(json: [UInt8]) throws(CalendarError)

  /// Returns the value as JSON without whitespace.
  func json() -> [UInt8]

  /// The fields without a property, and those whose value does not match the type of their property.
  ///
  /// For example, a malformed colour or time leaves its property `nil` and is kept here under the field's name. On
  /// encoding, a property that is set has precedence over an entry of the same name.
  var additionalFields: [String: JSONValue] { get set }

  /// The API's names of all fields with a property.
  static var fieldNames: [String] { get }
}

extension CalendarSchema {
  /// Creates a value and sets its fields.
  public init(_ configure: (inout Self) throws -> Void) rethrows {
    self.init()
    try configure(&self)
  }

  /// Creates a value from any decoder.
  ///
  /// - Throws: The decoder's error, or a `CalendarError` if the fields are not valid.
  public init(from decoder: any Decoder) throws {
    try self.init(json: try JSONValue(from: decoder).json())
  }

  /// Encodes the value to any encoder.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue(json: json()).encode(to: encoder)
  }
}

/// The generated coding of a schema's fields.
protocol SchemaCoding: CalendarSchema, JSONConvertible {
  /// Reads the value of the current field into its property, or returns `false` if it has none.
  mutating func readField(from reader: inout JSONReader) throws(JSONParseError) -> Bool

  /// Writes every field with a property, in the order of their names.
  func writeFields(to writer: inout JSONWriter)

  /// The API's names of the fields with a property.
  static var fieldNamesByKeyPath: [PartialKeyPath<Self>: String] { get }
}

extension SchemaCoding {
  /// Creates a value from JSON.
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

  /// The names of all fields with a property.
  public static var fieldNames: [String] { Self().fields.map(\.name.description) }

  /// The type and the names of the fields that are set, never a value.
  public var debugDescription: String {
    let names = fields.filter { $0.value != nil }.map(\.name.description) + additionalFields.keys.sorted()
    return "\(Self.self)(\(names.joined(separator: ", ")))"
  }

  /// A mirror with the names of the fields that are set, never a value.
  public var customMirror: Mirror { Mirror(self, children: ["fields": debugDescription]) }

  /// The fields with a property.
  private var fields: [JSONWriter.Field] {
    var writer = JSONWriter(collecting: true)
    writer.fields.reserveCapacity(48)
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

  /// The fields as JSON, without encoding them as text.
  var jsonValue: JSONValue {
    var values = additionalFields
    for field in fields { if let value = field.jsonValue { values[field.name.description] = value } }
    return .object(values)
  }

  /// Returns the merge patch from `old` to this value.
  ///
  /// - Parameters:
  ///   - old: The value before the change.
  ///   - names: The fields to omit from the patch.
  func mergePatch(from old: Self, leaving names: Set<String>) -> JSONValue {
    var (before, after) = (old.additionalFields, additionalFields)
    // Equal fields are not converted to JSON.
    for (oldField, field) in zip(old.fields, fields) {
      switch (oldField.value, field.value) {
      case (nil, nil): continue
      case (let oldValue?, let value?) where oldValue.equals(value):
        if before.isEmpty && after.isEmpty { continue }
        before[field.name.description] = nil
        after[field.name.description] = nil
      default:
        if let oldValue = oldField.jsonValue { before[field.name.description] = oldValue }
        if let value = field.jsonValue { after[field.name.description] = value }
      }
    }
    return JSONValue.object(after).mergePatch(from: .object(before), leaving: names)
  }

  private func writeAdditionalFields(to writer: inout JSONWriter) {
    let written = Set(fields.lazy.filter { $0.value != nil }.map(\.name.description))
    for (name, value) in additionalFields.sorted(by: { $0.key < $1.key }) where !written.contains(name) {
      writer.key(name)
      writer.write(value)
    }
  }
}

/// An enumeration of strings to which the server may add values.
///
/// Unknown values are preserved.
public protocol OpenEnumeration: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible, Codable
where RawValue == String {
  /// Creates a value from its name in the API.
  init(rawValue: String)
}

extension OpenEnumeration {
  /// Creates a value from its name in the API.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The name in the API.
  public var description: String { rawValue }
}
