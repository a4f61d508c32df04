// SPDX-License-Identifier: Apache-2.0

/// JSON merge patches ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396.html)): objects merge, `null` removes a member, and any
/// other value replaces.
extension JSONValue {
  /// Returns the value with a merge patch applied ([RFC 7396 § 2](https://www.rfc-editor.org/rfc/rfc7396.html#section-2)).
  public func applying(mergePatch patch: JSONValue) -> JSONValue {
    guard let changes = patch.object else { return patch }
    var fields = object ?? [:]
    for (name, change) in changes {
      fields[name] = change == .null ? nil : (fields[name] ?? .null).applying(mergePatch: change)
    }
    return .object(fields)
  }

  /// Returns the merge patch from `old` to this value.
  ///
  /// A merge patch cannot set a member to `null`.
  ///
  /// - Parameters:
  ///   - old: The value before the change.
  ///   - names: The members of the outermost object to leave out.
  public func mergePatch(from old: JSONValue, leaving names: Set<String> = []) -> JSONValue {
    guard let fields = object, let oldFields = old.object else { return self }
    var changes: [String: JSONValue] = [:]
    for (name, value) in fields where !names.contains(name) {
      if let oldValue = oldFields[name] {
        if oldValue != value { changes[name] = value.mergePatch(from: oldValue) }
      } else {
        changes[name] = value
      }
    }
    for name in oldFields.keys where fields[name] == nil && !names.contains(name) { changes[name] = .null }
    return .object(changes)
  }
}
