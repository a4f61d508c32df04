// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A change of a field: it is left as it is, set, or cleared.
public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The field is left as it is.
  case leave
  /// The field is set to a value. An array replaces all elements.
  case set(Value)
  /// The field is cleared.
  case clear
}

extension Change: PatchField where Value: JSONConvertible {
  init(change: JSONValue?) {
    switch change {
    case nil: self = .leave
    case .null: self = .clear
    // A value that does not fit the field, as one of a newer version may, is none that this type can show.
    case .some(let value): self = Value(value).map(Change.set) ?? .leave
    }
  }

  var change: JSONValue? {
    switch self {
    case .leave: nil
    case .set(let value): JSONValue(value)
    case .clear: .null
    }
  }
}
