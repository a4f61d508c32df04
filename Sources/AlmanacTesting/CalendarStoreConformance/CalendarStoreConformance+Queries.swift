// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Timekeeping

extension CalendarStoreConformance {
  static let queryChecks = [
    Check("queries.text", "A text is found in every field of an event, without regard to case, accents and order.") {
      subject in
      let fields: [(String, Event)] = [
        ("title", Event { $0.summary = "Réunion: BUDGET 2026" }),
        ("place", Event { $0.location = "Salle budgétaire, Zürich" }),
        ("text", Event { $0.description = "<p>The budget\u{0} of \"Ada's\" plan</p>" }),
        ("guest", Event { $0.attendees = [person("ada.b@example.com", "Ada Byron")] }),
        ("host", Event { $0.organizer = Event.Person { $0.email = "ada@example.org" } }),
        ("asia", Event { $0.summary = "今日の会議 và tiếng Việt" }),
        ("none", Event()),
      ]
      try await subject.apply(fields.map { id, event in .put(subject.found(event, id)) })
      let expected: [(String, Set<String>)] = [
        ("budget", ["title", "place", "text"]), ("bud 2026", ["title"]), ("2026 REUNION", ["title"]),
        ("re\u{301}union", ["title"]), ("zurich", ["place"]), ("udget", []), ("budgets", []),
        ("ada", ["text", "guest", "host"]), ("ada@example", ["host"]), ("ada example.org", ["host"]),
        ("byron@budget", []), ("ada's", ["text"]), ("会議", ["asia"]), ("viet", ["asia"]), ("議会", []),
        ("", Set(fields.map(\.0))), (" -\"*( ", Set(fields.map(\.0))), ("\" OR NEAR(budget", []),
        ("x' OR ''='", []), ("budget NOT", []), ("\u{0}budget", ["title", "place", "text"]),
      ]
      for (text, ids) in expected {
        try require(try await subject.ids(EventQuery(text: text)) == ids, "Other events have the text \(text).")
      }
    },

    Check("queries.people", "Events are found by the whole address of an attendee or organizer, in any case.") {
      subject in
      let events = [
        ("a", Event { $0.attendees = [person("Ada@Example.com"), person("bob@example.com")] }),
        ("b", Event { $0.organizer = Event.Person { $0.email = "ada@example.com" } }),
        ("c", Event { $0.attendees = [person("ada@example.com.au"), person("xada@example.com")] }),
        ("d", Event { $0.attendees = [person("ada@example.com"), person("ada@example.com")] }),
        ("e", Event { $0.summary = "ada@example.com" }),
      ]
      try await subject.apply(events.map { .put(subject.found($1, $0)) })
      let query = EventQuery(attendee: "ADA@example.com")
      try require(try await subject.ids(query) == ["a", "b", "d"], "Other events have the attendee.")
      try require(try await subject.ids(EventQuery(attendee: "ada")).isEmpty, "A part of an address was found.")
      try require(
        try await subject.ids(EventQuery(text: "bob", attendee: "ada@example.com")) == ["a"],
        "An event that meets one of two conditions was found.")
    },

    Check("queries.changes", "An event is found by what it contains now.") { subject in
      func version(_ word: String, _ address: String, _ day: Int) -> SyncResource {
        subject.found(
          Event {
            $0.summary = word
            $0.attendees = [person(address)]
            $0.updated = Timestamp(secondsSince1970: Int64(day) * 86_400)
            $0.start = EventDateTime(date: CivilDate(daysSince1970: day))
          }, "a")
      }
      func queries(_ word: String, _ address: String, _ day: Int) -> [EventQuery] {
        let start = Int64(day) * 86_400
        return [
          EventQuery(text: word), EventQuery(attendee: address),
          EventQuery(span: EventSpan(start: start, end: start + 1)),
        ]
      }
      try await subject.apply([.put(version("old", "old@example.com", 100))])
      try await subject.apply([.put(version("new", "new@example.com", 200))])
      for query in queries("old", "old@example.com", 100) {
        try require(try await subject.ids(query).isEmpty, "An event was found by its old content.")
      }
      for query in queries("new", "new@example.com", 200) {
        try require(try await subject.ids(query) == ["a"], "An event was not found by its new content.")
      }
      try await subject.apply([.remove("a")])
      try await subject.apply([.put(subject.found(Event(), "b"))])
      for query in queries("new", "new@example.com", 200) {
        try require(try await subject.ids(query).isEmpty, "A removed event was found.")
      }
    },

    Check("queries.updated", "Events are found by the time of their last change, to the millisecond.") { subject in
      let times: [(String, Int64, Int32)] = [
        ("a", 99, 999_000_000), ("b", 100, 0), ("c", 100, 1_000_000), ("d", -1, 0),
      ]
      try await subject.apply(
        times.map { id, seconds, nanoseconds in
          let time = Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds)
          return .put(subject.found(Event { $0.updated = time }, id))
        } + [.put(Subject.event("unknown"))])
      for (nanoseconds, ids) in [(0, ["b", "c"]), (1_000_000, ["c"]), (2_000_000, [])] as [(Int32, Set<String>)] {
        let since = Timestamp(secondsSince1970: 100, nanoseconds: nanoseconds)
        try require(try await subject.ids(EventQuery(updatedSince: since)) == ids, "Other events were changed since.")
      }
    },

    Check("queries.cancelled", "Cancelled instances are found only if the query includes them.") { subject in
      let cancelled = Event {
        $0.status = .cancelled
        $0.recurringEventID = "a"
        $0.originalStartTime = EventDateTime(date: CivilDate(daysSince1970: 100))
      }
      try await subject.apply([.put(Subject.event("a")), .put(subject.found(cancelled, "a_1"))])
      try require(try await subject.ids(EventQuery()) == ["a"], "A cancelled instance was found.")
      try require(
        try await subject.ids(EventQuery(includesCancelled: true)) == ["a", "a_1"],
        "The cancelled instance was not found.")
      let span = EventSpan(start: 100 * 86_400, end: 100 * 86_400 + 1)
      try require(
        try await subject.ids(EventQuery(span: span, includesCancelled: true)) == ["a_1"],
        "It was not found by its original time.")
    },

    Check("queries.series", "The changed and cancelled instances of a recurring event are found by its identifier.") {
      subject in
      func instance(_ id: String, of series: String, isCancelled: Bool = false) -> SyncTransaction.Step {
        let event = Event {
          $0.recurringEventID = series
          $0.summary = "budget"
          if isCancelled { $0.status = .cancelled }
        }
        return .put(subject.found(event, id))
      }
      try await subject.apply([
        .put(Subject.event("a", "budget")), instance("a_1", of: "a"), instance("a_2", of: "a", isCancelled: true),
        instance("a_R1_1", of: "a_R1"), instance("b_1", of: "A"),
      ])
      try require(try await subject.ids(EventQuery(seriesID: "a")) == ["a_1"], "Other instances were found.")
      for text in [nil, "budget"] {
        let query = EventQuery(text: text, seriesID: "a", includesCancelled: true)
        try require(try await subject.ids(query) == ["a_1", "a_2"], "Other instances were found.")
      }
      try require(try await subject.ids(EventQuery(seriesID: "a_1")).isEmpty, "Instances of an instance were found.")
    },

    Check("queries.calendars", "Only the events of the account and of the named calendars are found.") { subject in
      for account in ["me", "you"] {
        for calendar in ["a", "b", "A"] {
          try await subject.apply(
            [.put(Subject.event("\(account)-\(calendar)", "budget"))], in: .events(calendarID: calendar), for: account)
        }
      }
      for text in [nil, "budget"] {
        for (calendars, ids) in [
          (nil, ["me-a", "me-b", "me-A"]), (["a", "A"], ["me-a", "me-A"]), (["c"], []), ([], []),
        ] as [([String]?, Set<String>)] {
          let query = EventQuery(text: text, calendarIDs: calendars)
          try require(try await subject.ids(query) == ids, "Events of other calendars were found.")
        }
      }
      let found = try await subject.other.events(
        matching: EventQuery(calendarIDs: ["b"]), for: "you", after: nil, limit: 9)
      try require(found.map(\.calendarID) == ["b"], "Another calendar is named.")
    },

    Check("queries.order", "Found events are in order of start, calendar and identifier, and can be read in portions.")
    {
      subject in
      var expected: [EventCursor] = []
      for calendar in ["b", "a", "c"] {
        var steps: [SyncTransaction.Step] = []
        for number in 0..<12 {
          let (id, day) = ("\(number * 7 % 12)", number / 4)
          let event = Event {
            $0.summary = "budget"
            if day > 0 { $0.start = EventDateTime(date: CivilDate(daysSince1970: day)) }
          }
          let resource = subject.found(event, id)
          expected.append(EventCursor(start: EventIndex(event).start, calendarID: calendar, id: id))
          steps.append(.put(resource))
        }
        try await subject.apply(steps, in: .events(calendarID: calendar))
      }
      expected.sort()
      for text in [nil, "budget"] {
        for limit in [1, 4, 5, 35, 36, 100] {
          var (read, cursor): ([EventCursor], EventCursor?) = ([], nil)
          while true {
            let portion = try await subject.other.events(
              matching: EventQuery(text: text), for: "me", after: cursor, limit: limit)
            try require(portion.count <= limit, "More events than the limit were returned.")
            read += portion.map(\.cursor)
            try require(read.count <= expected.count, "An event was repeated, with portions of \(limit).")
            guard portion.count == limit else { break }
            cursor = read.last
          }
          try require(read == expected, "Another order was returned, with portions of \(limit).")
        }
        // The event of a position may have been removed.
        let gone = EventCursor(start: 86_400, calendarID: "b", id: "999")
        let rest = try await subject.store.events(matching: EventQuery(text: text), for: "me", after: gone, limit: 100)
        try require(rest.map(\.cursor) == expected.filter { $0 > gone }, "Another position was used.")
        let none = try await subject.store.events(matching: EventQuery(text: text), for: "me", after: nil, limit: -1)
        try require(none.isEmpty, "Events were returned for a limit below one.")
      }
    },

    Check("queries.all", "Every query finds the events that meet all of its conditions.") { subject in
      var events: [String: EventIndex] = [:]
      let words = ["alpha", "beta", "gamma"]
      var random = ConformanceNumbers(seed: 1)
      for number in 0..<80 {
        let event = Event {
          let day = Int.random(in: 0...60, using: &random)
          $0.summary = words.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)).joined(
            separator: "-")
          $0.attendees = words.filter { _ in Bool.random(using: &random) }.map { person("\($0)@example.com") }
          $0.updated = Timestamp(secondsSince1970: .random(in: 0...60, using: &random) * 86_400)
          $0.start = EventDateTime(date: CivilDate(daysSince1970: day))
          $0.end = EventDateTime(date: CivilDate(daysSince1970: day + Int.random(in: 1...50, using: &random)))
          if Int.random(in: 0...5, using: &random) == 0 { $0.recurrence = ["RRULE:FREQ=DAILY;COUNT=20"] }
          if Int.random(in: 0...5, using: &random) == 0 { $0.status = .cancelled }
          if Int.random(in: 0...1, using: &random) == 0 { $0.recurringEventID = words.randomElement(using: &random) }
        }
        try await subject.apply([.put(subject.found(event, "\(number)"))])
        events["\(number)"] = EventIndex(event)
      }
      for _ in 0..<100 {
        let day = Int64.random(in: -5...65, using: &random) * 86_400
        let query = EventQuery(
          text: Bool.random(using: &random) ? words.randomElement(using: &random) : nil,
          attendee: Bool.random(using: &random) ? "\(words.randomElement(using: &random) ?? "")@example.com" : nil,
          seriesID: Int.random(in: 0...3, using: &random) == 0 ? words.randomElement(using: &random) : nil,
          updatedSince: Bool.random(using: &random) ? Timestamp(secondsSince1970: day) : nil,
          span: Bool.random(using: &random) ? EventSpan(start: day, end: day + 86_400 * 3) : nil,
          includesCancelled: Bool.random(using: &random))
        let expected = Set(events.filter { query.matches($0.value) }.map(\.key))
        try require(try await subject.ids(query) == expected, "Other events meet \(query).")
      }
    },
  ]

  private static func person(_ email: String, _ name: String? = nil) -> EventAttendee {
    EventAttendee {
      $0.email = email
      $0.displayName = name
    }
  }
}

extension CalendarStoreConformance.Subject {
  /// Returns an event as a resource with an identifier.
  func found(_ event: Event, _ id: String) -> SyncResource {
    var event = event
    event.id = id
    return .event(event)
  }

  /// Returns the identifiers of the events found by a query.
  func ids(_ query: EventQuery) async throws -> Set<String> {
    let found = try await other.events(matching: query, for: "me", after: nil, limit: 1_000).compactMap(\.event.id)
    try CalendarStoreConformance.require(Set(found).count == found.count, "An event was found twice by \(query).")
    return Set(found)
  }
}

/// Numbers that depend on a seed alone.
private struct ConformanceNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
