// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

// A server spells some values in its own way: it leaves out what is false or empty, and moves times to another offset.
extension JSONValue {
  /// What changes with every write.
  private static let versions: Set = ["etag", "sequence", "updated"]
  /// What a server adds to the elements of an array, such as attendees and attachments.
  private static let additions: Set = [
    "displayName", "fileId", "iconLink", "id", "mimeType", "organizer", "resource", "responseStatus", "self", "title",
  ]

  /// Whether the resource is what a merge patch leaves behind.
  func isResult(ofPatch patch: JSONValue) -> Bool {
    guard let changes = patch.object else { return isResult(of: patch) }
    return changes.allSatisfy { name, change in (self[name] ?? .null).isResult(ofPatch: change) }
  }

  /// Whether the resource, or a value in it, is what a replacement by `sent` leaves behind.
  func isResult(of sent: JSONValue) -> Bool { isResult(of: sent, leaving: Self.versions) }

  private func isResult(of sent: JSONValue, leaving names: Set<String>) -> Bool {
    switch (self, sent) {
    case (.object(let fields), .object(let sent)):
      return Set(fields.keys).union(sent.keys).subtracting(names).allSatisfy { name in
        (fields[name] ?? .null).isResult(of: sent[name] ?? .null, leaving: names)
      }
    case (.array(let elements), .array(let sent)):
      // The server may have another order.
      return elements.count == sent.count
        && sent.allSatisfy { sent in elements.contains { $0.isElement(of: sent) } }
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

  /// Whether it says no more than a field that is left out.
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
