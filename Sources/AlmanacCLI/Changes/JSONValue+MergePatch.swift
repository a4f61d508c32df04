// SPDX-License-Identifier: Apache-2.0

package import JSONCoding

extension JSONValue {
  /// Returns the value after a JSON merge patch ([RFC 7396 § 2](https://www.rfc-editor.org/rfc/rfc7396.html#section-2)).
  package func applying(mergePatch patch: JSONValue) -> JSONValue {
    guard let changes = patch.object else { return patch }
    var fields = object ?? [:]
    for (name, change) in changes {
      fields[name] = change == .null ? nil : (fields[name] ?? .null).applying(mergePatch: change)
    }
    return .object(fields)
  }

  /// Returns the merge patch that does what this one does, and then what `next` does.
  package func followed(byMergePatch next: JSONValue) -> JSONValue {
    guard var changes = object, let others = next.object else { return next }
    for (name, change) in others { changes[name] = changes[name]?.followed(byMergePatch: change) ?? change }
    return .object(changes)
  }
}
