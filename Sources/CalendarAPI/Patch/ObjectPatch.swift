// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The generated patch of an object.
protocol ObjectPatch: CalendarPatch, PatchField where Schema: SchemaCoding {
  /// The fields a client cannot write.
  static var readOnlyNames: [String] { get }
}

extension ObjectPatch {
  init(change: JSONValue?) {
    self.init()
    if let change { changes = change }
  }

  var change: JSONValue? { isEmpty ? nil : changes }

  /// The change of a field of the object.
  subscript<Field: PatchField>(_ name: String) -> Field {
    get { Field(change: changes[name]) }
    set {
      var fields = changes.object ?? [:]
      fields[name] = newValue.change
      changes = .object(fields)
    }
  }
}

extension ObjectPatch {
  /// Creates the patch from one value to another.
  public init(from old: Schema, to new: Schema) {
    self.init()
    changes = new.mergePatch(from: old, leaving: Set(Self.readOnlyNames))
  }

  /// Returns a patch that sets the fields of `value` and clears all others.
  public static func set(_ value: Schema) -> Self {
    var fields = value.jsonValue.object ?? [:]
    for name in Schema.fieldNames where fields[name] == nil { fields[name] = .null }
    for name in readOnlyNames { fields[name] = nil }
    return Self { $0.changes = .object(fields) }
  }
}

/// A change of a map of strings, such as extended properties.
///
/// Names absent from the change keep their values.
///
/// ```swift
/// patch.extendedProperties.private["ticket"] = .set("1234")
/// ```
public struct StringMapPatch: Sendable, Hashable {
  private var changes: JSONValue = .object([:])

  /// Creates a change without effect.
  public init() {}

  /// The change that removes all names.
  public static var clear: StringMapPatch { StringMapPatch(change: .null) }

  /// The change of the value for a name.
  public subscript(name: String) -> PatchValue<String> {
    get { PatchValue(change: changes[name]) }
    set {
      var values = changes.object ?? [:]
      values[name] = newValue.change
      changes = .object(values)
    }
  }
}

extension StringMapPatch: PatchField {
  init(change: JSONValue?) { changes = change ?? .object([:]) }

  var change: JSONValue? { changes == .object([:]) ? nil : changes }
}
