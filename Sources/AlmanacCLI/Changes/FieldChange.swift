// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
package import JSONCoding

/// The value of a changed field, before and after, as text.
package struct FieldChange: Encodable, Sendable, Hashable {
  package let field: String
  /// The text before, or `nil` if the field was not set.
  package let old: String?
  /// The text after, or `nil` if the field is cleared.
  package let new: String?

  package init(_ field: String, from old: String?, to new: String?) {
    self.field = field
    self.old = old
    self.new = new
  }

  /// Returns the fields of an object changed by a JSON merge patch, sorted by name.
  ///
  /// - Parameters:
  ///   - old: The object before the change. For a new object, it is empty.
  ///   - patch: The merge patch.
  package static func between(_ old: JSONValue, _ patch: JSONValue) -> [FieldChange] {
    between(old, patch, below: "")
  }

  private static func between(_ old: JSONValue, _ patch: JSONValue, below path: String) -> [FieldChange] {
    (patch.object ?? [:]).sorted { $0.key < $1.key }.flatMap { name, change -> [FieldChange] in
      let before = old[name]
      if change.object != nil, before == nil || before?.object != nil {
        return between(before ?? .object([:]), change, below: "\(path)\(name).")
      }
      let after = (before ?? .null).applying(mergePatch: change)
      guard after != before, !(after == .null && before == nil) else { return [] }
      return [FieldChange(path + name, from: before?.fieldText, to: after.fieldText)]
    }
  }
}

extension FieldChange {
  /// Returns the fields of an event changed by a patch.
  ///
  /// The start and the end are one field, in words.
  static func between(_ old: Event, _ patch: Event.Patch) -> [FieldChange] {
    guard let before = try? JSONValue(json: old.json()) else { return [] }
    var rows = between(before, patch.changes).filter { !$0.field.hasPrefix("start.") && !$0.field.hasPrefix("end.") }
    if let new = try? Event(json: before.applying(mergePatch: patch.changes).json()), new.period != old.period {
      rows.insert(FieldChange("when", from: old.period?.textWithZone, to: new.period?.textWithZone), at: 0)
    }
    return rows
  }
}

extension JSONValue {
  /// The value for display: text unchanged, people as their e-mail addresses, any other value as JSON.
  var fieldText: String? {
    switch self {
    case .null: return nil
    case .string(let text): return text
    case .array(let elements) where elements.isEmpty: return "none"
    case .array(let elements):
      let texts = elements.compactMap { $0.string ?? $0["email"]?.string }
      return texts.count == elements.count ? texts.joined(separator: ", ") : String(decoding: json(), as: UTF8.self)
    default: return String(decoding: json(), as: UTF8.self)
    }
  }
}

extension JSONValue {
  /// Returns the merge patch that combines this one with `next`, in this order.
  ///
  /// If this patch removes a member and `next` sets it to an object, the member keeps its other values. A merge patch cannot express both.
  package func followed(byMergePatch next: JSONValue) -> JSONValue {
    guard var changes = object, let others = next.object else { return next }
    for (name, change) in others { changes[name] = changes[name]?.followed(byMergePatch: change) ?? change }
    return .object(changes)
  }
}
