// SPDX-License-Identifier: Apache-2.0

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

extension FreeBusyRequestItem {
  /// Creates an item.
  ///
  /// - Parameter id: The identifier of a calendar or group.
  public init(id: String) {
    self.init()
    self.id = id
  }
}
