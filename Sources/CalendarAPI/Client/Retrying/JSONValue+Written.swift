// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

// The server normalizes some values: it omits false and empty ones, and changes the offset of times.
extension JSONValue {
  /// The fields that the server updates on every write.
  private static let versions: Set = ["etag", "sequence", "updated"]
  /// The fields added by a server to the elements of an array, such as attendees and attachments.
  private static let additions: Set = [
    "displayName", "fileId", "iconLink", "id", "mimeType", "organizer", "resource", "responseStatus", "self", "title",
  ]
  /// The default values of omitted fields, from the table of the API.
  ///
  /// Other fields default to a blank value.
  private static let defaults: [String: JSONValue] = [
    "guestsCanInviteOthers": true, "guestsCanSeeOtherGuests": true, "transparency": "opaque", "visibility": "default",
  ]

  /// Returns whether the resource matches the result of a merge patch.
  func isResult(ofPatch patch: JSONValue) -> Bool {
    guard let changes = patch.object else { return isResult(of: patch, leaving: []) }
    return changes.allSatisfy { name, _ in value(of: name).isResult(ofPatch: patch.value(of: name)) }
  }

  /// Returns whether the resource matches the result of a replacement by `sent`.
  func isResult(of sent: JSONValue) -> Bool { isResult(of: sent, leaving: Self.versions) }

  /// Returns whether the resource matches `sent`.
  ///
  /// - Parameter names: The fields ignored at this level, but not in nested objects.
  private func isResult(of sent: JSONValue, leaving names: Set<String>) -> Bool {
    switch (self, sent) {
    case (.object(let fields), .object(let sentFields)):
      return Set(fields.keys).union(sentFields.keys).subtracting(names).allSatisfy { name in
        value(of: name).isResult(of: sent.value(of: name), leaving: [])
      }
    case (.array(var elements), .array(let sent)):
      // The server may change the order.
      return elements.count == sent.count
        && sent.allSatisfy { sent in
          elements.firstIndex { $0.isElement(of: sent) }.map { elements.remove(at: $0) } != nil
        }
    case (.string(let text), .string(let sent)) where text != sent:
      guard let time = try? OffsetDateTime(rfc3339: text), let sent = try? OffsetDateTime(rfc3339: sent) else {
        return false
      }
      return time.timestamp == sent.timestamp
    default: return self == sent || isBlank && sent.isBlank
    }
  }

  /// Returns whether an element of an array matches `sent`, apart from fields added by the server.
  private func isElement(of sent: JSONValue) -> Bool {
    isResult(of: sent, leaving: Self.additions.subtracting((sent.object ?? [:]).keys))
  }

  /// Returns the value of a field, or its default if it is omitted.
  private func value(of name: String) -> JSONValue {
    if let value = self[name], value != .null { return value }
    return Self.defaults[name] ?? .null
  }

  /// Whether the value is equivalent to an omitted field without a default.
  private var isBlank: Bool {
    switch self {
    case .null, .bool(false), .string(""): true
    case .array(let elements): elements.isEmpty
    case .object(let fields): fields.values.allSatisfy(\.isBlank)
    default: false
    }
  }

  /// Whether the resource was deleted.
  var isDeleted: Bool { self["status"] == "cancelled" || self["deleted"] == true || self["role"] == "none" }
}
