// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A change of a field.
public enum PatchValue<Value: Sendable & Hashable>: Sendable, Hashable {
  /// Leaves the field unchanged.
  case leave
  /// Sets the field to a value. An array replaces all elements.
  case set(Value)
  /// Clears the field.
  case clear
}

extension PatchValue: PatchField where Value: JSONConvertible {
  init(change: JSONValue?) {
    switch change {
    case nil: self = .leave
    case .null: self = .clear
    // A newer version of the library may have stored a value that this type cannot represent.
    case .some(let value): self = Value(value).map(PatchValue.set) ?? .leave
    }
  }

  var change: JSONValue? {
    switch self {
    case .leave: nil
    case .set(let value): value.jsonValue
    case .clear: .null
    }
  }
}

/// A field of a patch: a change of a value, an object or a map.
protocol PatchField {
  /// Creates the field from the member of a JSON merge patch, or from `nil` if it is missing.
  init(change: JSONValue?)

  /// The member of a JSON merge patch, or `nil` if the field is left unchanged.
  var change: JSONValue? { get }
}
