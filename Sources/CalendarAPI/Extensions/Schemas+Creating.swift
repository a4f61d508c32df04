// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

extension ConferenceSolutionKey {
  /// Creates the key of a conference solution.
  public init(_ type: SolutionType) {
    self.init()
    self.type = type
  }
}

extension EventAttendee {
  /// Creates an attendee.
  public init(email: String) {
    self.init()
    self.email = email
  }
}

extension EventReminder {
  /// Creates a reminder.
  ///
  /// - Parameter minutes: The number of minutes before the start of the event, 0 to 40,320 (four weeks).
  public init(_ method: Method, minutes: Int) {
    self.init()
    self.method = method
    self.minutes = minutes
  }
}

extension FreeBusyRequest {
  /// Creates a query.
  ///
  /// - Parameters:
  ///   - ids: The identifiers of the calendars and groups.
  ///   - start: The inclusive start of the period.
  ///   - end: The exclusive end of the period.
  ///   - timeZone: The IANA name of the time zone of the response. Defaults to `UTC`.
  public init(calendars ids: [String], from start: Timestamp, to end: Timestamp, timeZone: String? = nil) {
    self.init()
    items = ids.map { FreeBusyRequestItem(id: $0) }
    timeMin = OffsetDateTime(start)
    timeMax = OffsetDateTime(end)
    self.timeZone = timeZone
  }
}

extension FreeBusyRequestItem {
  /// Creates an item.
  ///
  /// - Parameter id: The identifier of a calendar or group.
  public init(id: String) {
    self.init()
    self.id = id
  }
}
