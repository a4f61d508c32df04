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
  /// - Parameters:
  ///   - method: The method of delivery.
  ///   - minutes: The number of minutes before the start of the event, 0 to 40,320 (four weeks).
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
  ///   - start: The start of the period, inclusive.
  ///   - end: The end of the period, exclusive.
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

extension Event {
  /// Returns a random identifier for a new event: 26 characters allowed by Google, with 128 bits of randomness.
  ///
  /// `events.insert` generates an identifier for an event without one. If the response is lost, the insertion can then be retried
  /// without creating a second event.
  public static func makeIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    var bits = (high: generator.next(), low: generator.next())
    var characters: [UInt8] = []
    for _ in 0..<26 {
      characters.append(digits[Int(bits.low & 31)])
      bits = (bits.high >> 5, bits.low >> 5 | bits.high << 59)
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The event with an identifier: its own, or a new one.
  var identified: (event: Event, id: String, isNew: Bool) {
    if let id { return (self, id, false) }
    var event = self
    let id = Self.makeIdentifier()
    event.id = id
    return (event, id, true)
  }
}
