// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A change of names and values, such as extended properties: those that are not named are left as they are.
///
/// ```swift
/// patch.extendedProperties.private["ticket"] = .set("1234")
/// ```
public struct StringMapPatch: Sendable, Hashable {
  private var changes: JSONValue = .object([:])

  /// Creates a change that leaves everything as it is.
  public init() {}

  /// The change that removes all names.
  public static var clear: StringMapPatch { StringMapPatch(change: .null) }

  /// The change of the value of a name.
  public subscript(name: String) -> Change<String> {
    get { Change(change: changes[name]) }
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
