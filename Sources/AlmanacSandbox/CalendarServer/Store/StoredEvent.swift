// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Timekeeping

/// An event of a calendar: a single one, a series, or a changed or cancelled instance of one.
struct StoredEvent: Sendable {
  /// Whose place an event takes in a series.
  struct Exception: Sendable, Hashable {
    let seriesID: String
    let originalStart: EventTime
  }

  let id: String
  /// The fields as they were written, those included that the server does not know.
  var fields: [String: JSONValue]
  var start: EventTime
  var end: EventTime
  var series: EventSeries?
  var exception: Exception?
  var isCancelled = false
  let created: Timestamp
  /// To the millisecond, and later with every change.
  var updated: Timestamp
  /// Counts the changes that do not move ``updated``.
  var minorChanges = 0
  var sequence = 0
  /// The client that created it.
  var createdBy: String?
  var revision = 0
  /// What the series was before it was changed, with the revision of the change: such instances are gone.
  var formerSeries: [(revision: Int, series: EventSeries)] = []

  /// Google's: twice the time of the last change in microseconds.
  var etag: String {
    "\"\((updated.secondsSince1970 * 1_000_000 + Int64(updated.nanoseconds / 1000)) * 2 + Int64(minorChanges))\""
  }

  var iCalUID: String { fields["iCalUID"]?.string ?? "" }
  var eventType: String { fields["eventType"]?.string ?? "default" }
  var isTransparent: Bool { fields["transparency"]?.string == "transparent" }
  var isPrivate: Bool { ["private", "confidential"].contains(fields["visibility"]?.string) }
  var organizer: String? { fields["organizer"]?["email"]?.string }
}

extension StoredEvent {
  /// The instance of a series that starts at a time.
  func instance(at start: EventTime) -> StoredEvent {
    var instance = StoredEvent(
      id: "\(id)_\(start.instanceSuffix)", fields: fields, start: start, end: series?.end(of: start) ?? end,
      created: created, updated: updated)
    instance.fields["recurrence"] = nil
    instance.exception = Exception(seriesID: id, originalStart: start)
    instance.minorChanges = minorChanges
    instance.isCancelled = isCancelled
    instance.sequence = sequence
    instance.createdBy = createdBy
    instance.revision = revision
    return instance
  }

  /// Marks a change of what all copies share.
  mutating func touch(_ now: Timestamp) {
    let earliest = updated + .milliseconds(1)
    updated = max(now.inMilliseconds, earliest)
    minorChanges = 0
  }

  /// The response of an attendee; `nil` for those who are not invited.
  func response(of email: String) -> String? {
    fields["attendees"]?.array?.first { $0["email"]?.string == email }.map {
      $0["responseStatus"]?.string ?? "needsAction"
    }
  }

  /// An identifier as Google makes them, 26 characters of Base32hex, the same for the same text.
  static func id(for text: String) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuv")
    return String(MessageDigest.sha256(text).prefix(26).map { digits[Int($0 & 31)] })
  }
}

extension Timestamp {
  /// What is left when the time is written with three digits after the second.
  var inMilliseconds: Timestamp {
    Timestamp(secondsSince1970: secondsSince1970, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
  }
}
