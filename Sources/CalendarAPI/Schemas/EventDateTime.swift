// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// When an event starts or ends: a day for an all-day event, else a time.
///
/// Start and end are either both days or both times. The end is the first moment, or day, that no longer belongs to the
/// event.
public struct EventDateTime: CalendarSchema {
  /// The day, when the event is an all-day event.
  public var date: CivilDate?
  /// The time, when it is not.
  public var dateTime: OffsetDateTime?
  /// The time zone as the IANA names it, such as `Europe/Madrid`.
  ///
  /// A recurring event must have it: its times repeat in this zone. It means nothing for an all-day event.
  public var timeZone: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("date", &date)
    field("dateTime", &dateTime)
    field("timeZone", &timeZone)
  }
}

extension EventDateTime {
  /// Creates the start or end of an all-day event.
  public init(date: CivilDate) { self.date = date }

  /// Creates the start or end of an event with a time.
  ///
  /// - Parameter timeZone: The time zone as the IANA names it. A recurring event must have it.
  public init(_ dateTime: OffsetDateTime, timeZone: String? = nil) {
    self.dateTime = dateTime
    self.timeZone = timeZone
  }
}
