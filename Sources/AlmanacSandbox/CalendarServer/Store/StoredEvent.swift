// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Timekeeping

/// An event of a calendar: a single event, a series, or a changed or cancelled instance of a series.
struct StoredEvent: Sendable {
  /// The instance of a series replaced by an exception.
  struct Exception: Sendable, Hashable {
    let seriesID: String
    let originalStart: EventTime
  }

  let id: String
  /// The fields as the client wrote them, including unknown ones.
  var fields: [String: JSONValue]
  var start: EventTime
  var end: EventTime
  var series: EventSeries?
  var exception: Exception?
  var isCancelled = false
  let created: Timestamp
  /// The time of the last change, in milliseconds.
  ///
  /// It increases with every change.
  var updated: Timestamp
  /// The number of changes since ``updated`` that did not change it.
  var minorChanges = 0
  var sequence = 0
  /// The identifier of the creating client.
  var createdBy: String?
  var revision = 0
  /// Previous recurrences of the series, each with the revision at which it was replaced.
  var formerSeries: [(revision: Int, series: EventSeries)] = []

  /// The entity tag in Google's format: twice the time of the last change in microseconds, plus the minor changes.
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
  /// Returns the instance of a series with a start.
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

  /// Records a change of the shared properties.
  mutating func touch(_ now: Timestamp) {
    let earliest = updated + .milliseconds(1)
    updated = max(now.inMilliseconds, earliest)
    minorChanges = 0
  }

  /// Returns an attendee's response, or `nil` for a user who is not invited.
  func response(of email: String) -> String? {
    fields["attendees"]?.array?.first { $0["email"]?.string == email }.map {
      $0["responseStatus"]?.string ?? "needsAction"
    }
  }

  /// Returns an identifier in Google's format, 26 characters of Base32hex, derived from a text.
  static func id(for text: String) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuv")
    return String(MessageDigest.sha256(text).prefix(26).map { digits[Int($0 & 31)] })
  }
}

extension Timestamp {
  /// The time rounded down to milliseconds.
  var inMilliseconds: Timestamp {
    Timestamp(secondsSince1970: secondsSince1970, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
  }
}
