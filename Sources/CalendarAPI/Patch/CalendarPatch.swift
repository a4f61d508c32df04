// SPDX-License-Identifier: Apache-2.0

public import JSONCoding

/// A change of a resource: which fields are set, which are cleared, and which are left as they are
/// ([partial update](https://developers.google.com/workspace/calendar/api/guides/performance#patch)).
///
/// It is made by a closure, or from two values:
///
/// ```swift
/// let patch = Event.Patch {
///   $0.summary = .set("Lunch")
///   $0.location = .clear
///   $0.reminders.useDefault = .set(false)
/// }
/// let same = Event.Patch(from: old, to: new)
/// ```
///
/// Objects inside the resource are merged field by field; arrays are replaced. Its description shows no value.
public protocol CalendarPatch: Sendable, Hashable, CustomDebugStringConvertible, CustomReflectable {
  /// The schema of what is changed.
  associatedtype Schema: CalendarSchema

  /// Creates a patch that leaves everything as it is.
  init()

  /// Creates the patch that makes one value of another. Fields that a client cannot write are left out; fields that have
  /// no property are compared too.
  init(from old: Schema, to new: Schema)

  /// Returns the patch after which the object has the fields of `value` and no others. Objects inside it are merged.
  static func set(_ value: Schema) -> Self

  /// The changes as a JSON merge patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396.html)): an object, or `null` to
  /// clear the whole.
  var changes: JSONValue { get set }
}

extension CalendarPatch {
  /// Creates a patch and sets its changes.
  public init(_ configure: (inout Self) throws -> Void) rethrows {
    self.init()
    try configure(&self)
  }

  /// The patch that leaves everything as it is.
  public static var leave: Self { Self() }

  /// The patch that clears the whole object.
  public static var clear: Self { Self { $0.changes = .null } }

  /// Whether everything is left as it is.
  public var isEmpty: Bool { changes == .object([:]) }

  /// Returns the patch as JSON without whitespace.
  public func json() -> [UInt8] { changes.json() }

  /// The type and the names of the fields, never a value.
  public var debugDescription: String {
    "\(Self.self)(\(changes.object.map { $0.keys.sorted().joined(separator: ", ") } ?? "null"))"
  }

  /// A mirror that shows no value.
  public var customMirror: Mirror { Mirror(self, children: ["fields": debugDescription]) }
}
