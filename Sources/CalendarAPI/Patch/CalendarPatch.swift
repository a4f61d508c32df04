// SPDX-License-Identifier: Apache-2.0

public import JSONCoding

/// A change of a resource that sets fields, clears fields, and leaves all others unchanged
/// ([partial update](https://developers.google.com/workspace/calendar/api/guides/performance#patch)).
///
/// Create it with a closure, or from two values:
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
/// Nested objects are merged field by field. Arrays are replaced. The description never contains a value.
public protocol CalendarPatch: Sendable, Hashable, CustomDebugStringConvertible, CustomReflectable {
  /// The schema of the resource.
  associatedtype Schema: CalendarSchema

  /// Creates a patch without changes.
  init()

  /// Creates the patch from one value to another.
  ///
  /// The patch omits read-only fields. It includes fields without a property.
  ///
  /// - Parameters:
  ///   - old: The value before the change.
  ///   - new: The value after the change.
  init(from old: Schema, to new: Schema)

  /// Returns a patch that sets the fields of `value` and clears all others.
  ///
  /// Nested objects are merged.
  static func set(_ value: Schema) -> Self

  /// The changes as a JSON merge patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396.html)): an object, or `null` to
  /// clear the whole object.
  var changes: JSONValue { get set }
}

extension CalendarPatch {
  /// Creates a patch and sets its changes.
  public init(_ configure: (inout Self) throws -> Void) rethrows {
    self.init()
    try configure(&self)
  }

  /// A patch without changes.
  public static var leave: Self { Self() }

  /// The patch that clears the whole object.
  public static var clear: Self { Self { $0.changes = .null } }

  /// Whether the patch changes nothing.
  public var isEmpty: Bool { changes == .object([:]) }

  /// Returns a value with the changes, as the server returns it apart from the fields set only by the server.
  public func applied(to value: Schema) -> Schema {
    guard changes != .null, let fields = try? JSONValue(json: value.json()) else { return Schema() }
    return (try? Schema(json: fields.applying(mergePatch: changes).json())) ?? value
  }

  /// Whether a value returned by the server has the changes, apart from notation and values added by the server.
  package func isMade(in value: Schema) -> Bool {
    (try? JSONValue(json: value.json()))?.isResult(ofPatch: changes) ?? false
  }

  /// Returns the patch as JSON without whitespace.
  public func json() -> [UInt8] { changes.json() }

  /// The type and the names of the fields, never a value.
  public var debugDescription: String {
    "\(Self.self)(\(changes.object.map { $0.keys.sorted().joined(separator: ", ") } ?? "null"))"
  }

  /// A mirror without any value.
  public var customMirror: Mirror { Mirror(self, children: ["fields": debugDescription]) }
}
