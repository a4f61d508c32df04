// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Recurrence
import Testing
import Timekeeping

/// The plans of edits of single series.
struct SeriesPlanTests {
  private static func series(
    _ lines: [String], start: String = "2025-03-20T09:00:00-05:00", zone: String? = "America/Chicago",
    exceptions: [Event] = [], _ configure: (inout Event) -> Void = { _ in }
  ) throws -> StoredSeries {
    var event = Event {
      $0.id = "series"
      $0.etag = "\"7\""
      $0.summary = "Series"
      $0.recurrence = lines
    }
    event.period = try period(start, zone)
    configure(&event)
    return StoredSeries(event, exceptions: exceptions, in: "calendar")
  }

  /// A day, or an hour.
  private static func period(_ start: String, _ zone: String?) throws -> EventPeriod {
    if let day = try? CivilDate(rfc3339: start) { return .allDay(day..<day.adding(days: 1)) }
    let time = try OffsetDateTime(rfc3339: start)
    let end = OffsetDateTime(time.timestamp + .seconds(3600), offsetSeconds: time.offsetSeconds)
    return .timed(start: time, end: try #require(end), timeZone: zone)
  }

  /// Returns the instance with an original start.
  private static func instance(_ start: String, zone: String? = "America/Chicago") throws -> Event {
    try Event {
      $0.id = "series_\(start.filter { $0 != "-" && $0 != ":" })"
      $0.recurringEventID = "series"
      $0.summary = "Series"
      $0.period = try period(start, zone)
      $0.originalStartTime = $0.start
    }
  }

  private static func error(_ code: CalendarEditError.Code, _ plan: () throws -> SeriesPlan) {
    let error = #expect(throws: CalendarEditError.self) { try plan() }
    #expect(error?.code == code)
  }

  /// Series that are divided: their lines, start and instance, and the lines of the original event and of the new one.
  private static let splits: [(lines: [String], start: String?, at: String, first: [String], second: [String])] = [
    // Rules end with the previous local day.
    // As Google Calendar writes it.
    (
      ["RRULE:FREQ=WEEKLY;BYDAY=TH"], nil, "2025-03-27T09:00:00-05:00",
      ["RRULE:FREQ=WEEKLY;UNTIL=20250327T045959Z;BYDAY=TH"], ["RRULE:FREQ=WEEKLY;BYDAY=TH"]
    ),
    // Or just before an instance that is not the first of its day.
    (
      ["RRULE:FREQ=DAILY;BYHOUR=9,15"], nil, "2025-03-22T15:00:00-05:00",
      ["RRULE:FREQ=DAILY;UNTIL=20250322T195959Z;BYHOUR=9,15"], ["RRULE:FREQ=DAILY;BYHOUR=9,15"]
    ),
    // Whole days end with a date.
    (["RRULE:FREQ=WEEKLY"], "2025-03-20", "2025-04-03", ["RRULE:FREQ=WEEKLY;UNTIL=20250402"], ["RRULE:FREQ=WEEKLY"]),
    // The count includes excluded dates.
    (
      ["RRULE:FREQ=DAILY;COUNT=10", "EXDATE;TZID=America/Chicago:20250321T090000,20250326T090000"], nil,
      "2025-03-24T09:00:00-05:00",
      ["RRULE:FREQ=DAILY;UNTIL=20250324T045959Z", "EXDATE;TZID=America/Chicago:20250321T090000"],
      ["RRULE:FREQ=DAILY;COUNT=6", "EXDATE;TZID=America/Chicago:20250326T090000"]
    ),
    // The end of a series stays with its last part.
    (
      ["RRULE:FREQ=DAILY;UNTIL=20250401T045959Z"], nil, "2025-03-24T09:00:00-05:00",
      ["RRULE:FREQ=DAILY;UNTIL=20250324T045959Z"], ["RRULE:FREQ=DAILY;UNTIL=20250401T045959Z"]
    ),
    // Additional dates are divided.
    (
      ["RRULE:FREQ=WEEKLY", "RDATE;TZID=America/Chicago:20250322T100000,20250405T100000"], nil,
      "2025-04-03T09:00:00-05:00",
      ["RRULE:FREQ=WEEKLY;UNTIL=20250403T045959Z", "RDATE;TZID=America/Chicago:20250322T100000"],
      ["RRULE:FREQ=WEEKLY", "RDATE;TZID=America/Chicago:20250405T100000"]
    ),
    // The last instance is a series of one.
    (
      ["RRULE:FREQ=DAILY;COUNT=3"], nil, "2025-03-22T09:00:00-05:00", ["RRULE:FREQ=DAILY;UNTIL=20250322T045959Z"],
      ["RRULE:FREQ=DAILY;COUNT=1"]
    ),
    // An instance at a skipped time keeps the time of the rule.
    // 02:30 does not exist on 2025-03-09, and becomes 03:30.
    (
      ["RRULE:FREQ=DAILY"], "2025-03-07T02:30:00-06:00", "2025-03-09T03:30:00-05:00",
      ["RRULE:FREQ=DAILY;UNTIL=20250309T055959Z"], ["RRULE:FREQ=DAILY;BYHOUR=2"]
    ),
  ]

  @Test(arguments: splits) func seriesIsDivided(
    _ lines: [String], _ start: String?, _ instance: String, _ first: [String], _ second: [String]
  ) throws {
    let plan = try Self.series(lines, start: start ?? "2025-03-20T09:00:00-05:00")
      .planEdit(.thisAndFollowing, of: try Self.instance(instance)) { $0.summary = "New" }
    #expect(plan.changes.count == 2)
    let parts = plan.changes.reversed().compactMap { change -> [String]? in
      switch change.action {
      case .insert(let event): event.recurrence
      case .patch(let patch): patch.applied(to: Event()).recurrence
      case .delete: nil
      }
    }
    #expect(parts == [first, second])
  }

  @Test func newEventHasTheContentAndAnIdentifierOfItsOwn() throws {
    let stored = try Self.series(["RRULE:FREQ=DAILY"]) {
      $0.location = "Room 1"
      $0.iCalUID = "uid@example.com"
      $0.htmlLink = "https://calendar.example/1"
      $0.attendees = [EventAttendee(email: "bo@example.org")]
      $0.sequence = 3
    }
    let plan = try stored.planEdit(
      .thisAndFollowing, of: try Self.instance("2025-03-24T09:00:00-05:00"), sendUpdates: .all
    ) { $0.summary = "New" }
    guard case .insert(let event) = plan.changes.first?.action else {
      Issue.record("There is no insertion.")
      return
    }
    #expect(event.summary == "New" && event.location == "Room 1" && event.attendees?.count == 1)
    #expect(event.iCalUID == nil && event.htmlLink == nil && event.sequence == nil && event.etag == nil)
    #expect(event.id == plan.changes.first?.eventID && event.id != "series")
    #expect(
      event.start?.dateTime?.description == "2025-03-24T09:00:00-05:00" && event.start?.timeZone == "America/Chicago")
    #expect(plan.changes.last?.condition == .version("\"7\""))
    #expect(plan.changes.allSatisfy { $0.sendUpdates == .all })
  }

  @Test func exceptionsAreInsertedBeforeTheOriginalEnds() throws {
    var changed = try Self.instance("2025-03-25T09:00:00-05:00")
    changed.summary = "Own"
    var early = try Self.instance("2025-03-21T09:00:00-05:00")
    early.summary = "Early"
    let cancelled = try Event {
      $0.id = "series_20250326T140000Z"
      $0.status = .cancelled
      $0.recurringEventID = "series"
      $0.originalStartTime = try Self.instance("2025-03-26T09:00:00-05:00").originalStartTime
    }
    let stored = try Self.series(["RRULE:FREQ=DAILY"], exceptions: [changed, early, cancelled])
    let plan = try stored.planEdit(.thisAndFollowing, of: try Self.instance("2025-03-24T09:00:00-05:00")) {
      $0.location = "Room 2"
    }
    let id = try #require(plan.changes.first?.eventID)
    #expect(
      plan.changes.map(\.eventID)
        == [id, "\(id)_20250325T140000Z", "\(id)_20250326T140000Z", "series", changed.id])
    #expect(plan.changes[1].action == .patch(Event.Patch { $0.summary = .set("Own") }))
    #expect(plan.changes[2].action == .delete && plan.changes[4].action == .delete)
    #expect(plan.changes[4].sendUpdates == SendUpdates.none)
    let dropping = try stored.planEdit(
      .thisAndFollowing, of: try Self.instance("2025-03-24T09:00:00-05:00"), keepsExceptions: false
    ) { $0.location = "Room 2" }
    #expect(dropping.changes.map(\.eventID).dropFirst() == ["series", changed.id])
  }

  @Test(arguments: [
    "FREQ=MONTHLY;BYDAY=2TH", "FREQ=YEARLY;BYWEEKNO=12", "FREQ=DAILY;BYMONTH=3", "FREQ=MONTHLY;BYMONTHDAY=20,28",
    "FREQ=MONTHLY;BYDAY=MO,TH;BYSETPOS=-1",
  ]) func moveWithoutARuleIsRefused(_ rule: String) throws {
    let stored = try Self.series(["RRULE:\(rule)"])
    let instance = try Self.instance("2025-03-20T09:00:00-05:00")
    func move(_ event: inout Event) {
      event.period = .allDay(CivilDate(daysSince1970: 20_168)..<CivilDate(daysSince1970: 20_169))
    }
    Self.error(.cannotMove) { try stored.planEdit(.all, of: instance) { move(&$0) } }
    let plan = try stored.planEdit(.all, of: instance) {
      move(&$0)
      $0.recurrence = ["RRULE:FREQ=WEEKLY"]
    }
    #expect(plan.after.first?.recurrence == ["RRULE:FREQ=WEEKLY"])
  }

  @Test func moveThatWouldAddAnInstanceIsRefused() throws {
    // On 2025-03-09, 02:30 becomes 03:30, so that two times are one instance. On the day before, they are two.
    let stored = try Self.series(["RRULE:FREQ=DAILY;BYHOUR=2,3"], start: "2025-03-07T02:30:00-06:00")
    Self.error(.cannotMove) {
      try stored.planEdit(.all, of: try Self.instance("2025-03-07T02:30:00-06:00")) { event in
        event.period = .timed(
          start: try OffsetDateTime(rfc3339: "2025-03-06T02:30:00-06:00"),
          end: try OffsetDateTime(rfc3339: "2025-03-06T03:30:00-06:00"), timeZone: "America/Chicago")
      }
    }
  }

  @Test func exceptionWithoutAllItsAttendeesKeepsThoseOfTheSeries() throws {
    var exception = try Self.instance("2025-03-25T09:00:00-05:00")
    exception.summary = "Own"
    exception.attendees = [EventAttendee(email: "me@example.org")]
    exception.attendeesOmitted = true
    let stored = try Self.series(["RRULE:FREQ=DAILY"], exceptions: [exception]) {
      $0.attendees = [EventAttendee(email: "me@example.org"), EventAttendee(email: "bo@example.org")]
    }
    let plan = try stored.planEdit(.thisAndFollowing, of: try Self.instance("2025-03-24T09:00:00-05:00")) {
      $0.location = "Room 2"
    }
    #expect(plan.changes[1].action == .patch(Event.Patch { $0.summary = .set("Own") }))
  }

  @Test func exceptionOfATimeIsNotThatOfTheSameInstantsDay() throws {
    var exception = try Self.instance("2025-03-25T00:00:00Z", zone: "UTC")
    exception.summary = "Own"
    let stored = try Self.series(
      ["RRULE:FREQ=DAILY"], start: "2025-03-20T00:00:00Z", zone: "UTC", exceptions: [exception])
    let plan = try stored.planEdit(.all, of: try Self.instance("2025-03-20T00:00:00Z", zone: "UTC")) { event in
      let day = try CivilDate(rfc3339: "2025-03-20")
      event.period = .allDay(day..<day.adding(days: 1))
    }
    #expect(plan.changes.map(\.eventID) == ["series", exception.id, "series_20250325"])
    #expect(plan.changes[1].action == .delete)
    #expect(plan.changes[2].action == .patch(Event.Patch { $0.summary = .set("Own") }))
  }

  @Test func unclearEditsAreRefused() throws {
    let instance = try Self.instance("2025-03-24T09:00:00-05:00")
    func code(
      _ stored: StoredSeries, _ instance: Event, _ scope: SeriesScope = .thisAndFollowing,
      _ change: (inout Event) -> Void = { $0.summary = "New" }
    ) -> CalendarEditError.Code? {
      do {
        _ = try stored.planEdit(scope, of: instance, change)
        return nil
      } catch { return (error as? CalendarEditError)?.code }
    }
    let daily = ["RRULE:FREQ=DAILY"]
    #expect(code(try Self.series([]), instance) == .notRecurring)
    #expect(code(try Self.series(["RRULE:FREQ=NEVER"]), instance) == .unreadableRecurrence)
    #expect(code(try Self.series(daily, zone: "Mars/Olympus"), instance) == .unreadableRecurrence)
    #expect(code(try Self.series(daily), try Self.instance("2025-03-24T10:00:00-05:00")) == .notAnInstance)
    #expect(code(try Self.series(daily), Event { $0.id = "other" }) == .notAnInstance)
    #expect(code(try Self.series(daily) { $0.attendeesOmitted = true }, instance) == .attendeesOmitted)
    #expect(
      code(try Self.series(daily) { $0.organizer = Event.Person { $0.isSelf = false } }, instance) == .notOrganizer)
    #expect(code(try Self.series(daily), instance, .this) { $0.recurrence = daily } == .recurrenceOfInstance)
  }

  @Test func firstInstanceStandsForAll() throws {
    let stored = try Self.series(["RRULE:FREQ=DAILY"])
    let first = try Self.instance("2025-03-20T09:00:00-05:00")
    let plan = try stored.planEdit(.thisAndFollowing, of: first) { $0.summary = "New" }
    #expect(plan.changes.map(\.eventID) == ["series"] && plan.split == nil)
    #expect(try stored.planDeletion(.thisAndFollowing, of: first).changes.map(\.action) == [.delete])
  }

  @Test func descriptionsHaveNoContent() throws {
    let stored = try Self.series(["RRULE:FREQ=DAILY"], exceptions: [try Self.instance("2025-03-25T09:00:00-05:00")])
    let plan = try stored.planEdit(.thisAndFollowing, of: try Self.instance("2025-03-24T09:00:00-05:00")) {
      $0.summary = "Secret"
    }
    for text in ["\(stored)", "\(plan)", String(reflecting: plan), "\(plan.changes)", "\(dump(plan))"] {
      #expect(!text.contains("Secret") && !text.contains("Series\"") && !text.contains("RRULE"))
    }
  }
}
