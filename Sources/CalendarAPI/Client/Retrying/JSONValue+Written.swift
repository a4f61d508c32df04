// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

// A server spells some values in its own way: it leaves out what is false or empty, and moves times to another offset.
extension JSONValue {
  /// What changes of a resource with every write.
  private static let versions: Set = ["etag", "sequence", "updated"]
  /// What a server adds to the elements of an array, such as attendees and attachments.
  private static let additions: Set = [
    "displayName", "fileId", "iconLink", "id", "mimeType", "organizer", "resource", "responseStatus", "self", "title",
  ]
  /// The values of fields that are left out, as the table of the API says; of other fields, it is the blank one.
  private static let defaults: [String: JSONValue] = [
    "guestsCanInviteOthers": true, "guestsCanSeeOtherGuests": true, "transparency": "opaque", "visibility": "default",
  ]

  /// Whether the resource is what a merge patch leaves behind.
  func isResult(ofPatch patch: JSONValue) -> Bool {
    guard let changes = patch.object else { return isResult(of: patch, leaving: []) }
    return changes.allSatisfy { name, _ in value(of: name).isResult(ofPatch: patch.value(of: name)) }
  }

  /// Whether the resource is what a replacement by `sent` leaves behind.
  func isResult(of sent: JSONValue) -> Bool { isResult(of: sent, leaving: Self.versions) }

  /// - Parameter names: The fields that are not compared; those of the objects in it are.
  private func isResult(of sent: JSONValue, leaving names: Set<String>) -> Bool {
    switch (self, sent) {
    case (.object(let fields), .object(let sentFields)):
      return Set(fields.keys).union(sentFields.keys).subtracting(names).allSatisfy { name in
        value(of: name).isResult(of: sent.value(of: name), leaving: [])
      }
    case (.array(var elements), .array(let sent)):
      // The server may have another order.
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

  /// Whether an element of an array is what the server makes of `sent`.
  private func isElement(of sent: JSONValue) -> Bool {
    isResult(of: sent, leaving: Self.additions.subtracting((sent.object ?? [:]).keys))
  }

  /// The value of a field, which is its default if it is left out.
  private func value(of name: String) -> JSONValue {
    if let value = self[name], value != .null { return value }
    return Self.defaults[name] ?? .null
  }

  /// Whether it says no more than a field that is left out and has no other default.
  private var isBlank: Bool {
    switch self {
    case .null, .bool(false), .string(""): true
    case .array(let elements): elements.isEmpty
    case .object(let fields): fields.values.allSatisfy(\.isBlank)
    default: false
    }
  }

  /// Whether a resource is what is left of one that was deleted.
  var isDeleted: Bool { self["status"] == "cancelled" || self["deleted"] == true || self["role"] == "none" }
}
