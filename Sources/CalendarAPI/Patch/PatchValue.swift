// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A change of a field: it is left as it is, set, or cleared.
public enum PatchValue<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The field is left as it is.
  case leave
  /// The field is set to a value. An array replaces all elements.
  case set(Value)
  /// The field is cleared.
  case clear
}

extension PatchValue: PatchField where Value: JSONConvertible {
  init(change: JSONValue?) {
    switch change {
    case nil: self = .leave
    case .null: self = .clear
    // A value that does not fit the field, as one of a newer version may, is none that this type can show.
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

/// What a field of a patch can be: a change of a value, of an object or of a map.
protocol PatchField {
  /// Creates the field from the member of a JSON merge patch; `nil` if there is none.
  init(change: JSONValue?)

  /// The member of a JSON merge patch; `nil` if the field is left as it is.
  var change: JSONValue? { get }
}
