// SPDX-License-Identifier: Apache-2.0

/// A schema of the Calendar API: an object whose fields have Google's own names.
///
/// Every field is optional: `nil` means that Google did not send it, or that a request shall not. What this version of
/// the module does not know survives: unknown fields and values that do not fit are kept in ``additionalFields``, and
/// unknown values of an enumeration are kept as they are (``OpenEnumeration``). Reading a value and writing it again
/// loses nothing but the order of fields, whitespace and fields that are `null`.
///
/// ```swift
/// let event = Event {
///   $0.summary = "Lunch"
///   $0.start = EventDateTime(date: day)
/// }
/// ```
///
/// The types of this module conform; there is no reason for another one to. The description names the fields that are
/// set and never shows a value: calendars hold private matters, and some fields are secrets (a conference's PIN, a sync
/// token). Ask ``json()`` for the content.
public protocol CalendarSchema: Sendable, Hashable, CustomDebugStringConvertible, CustomReflectable {
  /// Creates a value without any field.
  init()

  /// The fields that have no property of their own, and those whose value does not fit their property.
  ///
  /// A malformed colour or time, for example, leaves its property `nil` and is found here under the field's name. When
  /// the value is written, a property that is set wins over an entry of the same name.
  var additionalFields: [String: JSONValue] { get set }

  /// Shows every field to `field`, which reads or writes it. Nothing but this module calls it.
  mutating func visitFields(_ field: inout FieldVisitor)
}

extension CalendarSchema {
  /// Creates a value and sets its fields.
  public init(_ configure: (inout Self) throws -> Void) rethrows {
    self.init()
    try configure(&self)
  }

  /// Reads a value from JSON, such as ``json()`` has written.
  ///
  /// - Throws: ``CalendarError`` with code ``CalendarError/Code/malformedAnswer``, which tells what is wrong and where.
  public init(json: [UInt8]) throws(CalendarError) { try self.init(json: json, status: nil) }

  init(json: [UInt8], status: Int?) throws(CalendarError) {
    do {
      self = try FieldVisitor.read(Self.self, from: json)
    } catch {
      throw CalendarError(malformed: error, status: status)
    }
  }

  /// Returns the value as JSON without whitespace.
  public func json() -> [UInt8] { FieldVisitor.write(self) }

  /// The type and the names of the fields that are set, never a value.
  public var debugDescription: String {
    let names = FieldVisitor.names(of: self).filter(\.isSet).map(\.name.description) + additionalFields.keys.sorted()
    return "\(Self.self)(\(names.joined(separator: ", ")))"
  }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["fields": debugDescription]) }

  /// The names of all fields that have a property.
  package static var fieldNames: [String] { FieldVisitor.names(of: Self()).map(\.name.description) }
}
