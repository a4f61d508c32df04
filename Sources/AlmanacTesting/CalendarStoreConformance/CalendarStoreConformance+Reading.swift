// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Timekeeping

extension CalendarStoreConformance {
  static let readingChecks = [
    Check("reading.order", "Resources are returned in the order of the bytes of their identifiers, in portions.") {
      subject in
      let ids = ["A", "Z", "_", "a", "a0", "a_1", "b", "é", "日", "\u{10FFFF}"]
      try await subject.apply(ids.shuffled().map { .put(Subject.event($0)) })
      try require(try await subject.ids() == ids, "Another order was returned.")
      for limit in 1...ids.count + 1 {
        var (read, last): ([String], String?) = ([], nil)
        while true {
          let portion = try await subject.other.resources(in: Subject.events, for: "me", after: last, limit: limit)
          try require(portion.count <= limit, "More resources than the limit were returned.")
          read += portion.compactMap(\.id)
          try require(read.count <= ids.count, "A resource was repeated, with portions of \(limit).")
          guard portion.count == limit else { break }
          last = read.last
        }
        try require(read == ids, "A resource was left out or repeated, with portions of \(limit).")
      }
      let rest = try await subject.store.resources(in: Subject.events, for: "me", after: "a1", limit: 2)
      try require(rest.compactMap(\.id) == ["a_1", "b"], "The identifier to start after need not exist.")
      let none = try await subject.store.resources(in: Subject.events, for: "me", after: nil, limit: -1)
      try require(none.isEmpty, "Resources were returned for a limit below one.")
    },

    Check("reading.span", "Events are found by the time in which they can take place, in their calendar.") { subject in
      func event(_ id: String, _ day: Int, days: Int = 1, rule: String? = nil) -> SyncResource {
        let start = CivilDate(daysSince1970: day)
        return .event(
          Event {
            $0.id = id
            $0.start = EventDateTime(date: start)
            $0.end = EventDateTime(date: start.adding(days: days))
            if let rule { $0.recurrence = [rule] }
          })
      }
      try await subject.apply([
        .put(event("old", 10)), .put(event("long", 10, days: 500)), .put(event("now", 100)), .put(event("next", 101)),
        .put(event("ended", 20, rule: "RRULE:FREQ=DAILY;COUNT=9")),
        .put(event("endless", 20, rule: "RRULE:FREQ=DAILY")),
        .put(event("later", 200, rule: "RRULE:FREQ=DAILY")), .put(Subject.event("timeless")),
      ])
      try await subject.apply([.put(event("other", 100))], in: .events(calendarID: "home@example.com"))
      func ids(_ first: Int64, _ end: Int64) async throws -> Set<String?> {
        let span = EventSpan(start: first * 86_400, end: end * 86_400)
        let query = EventQuery(calendarIDs: ["work@example.com"], span: span)
        return Set(
          try await subject.other.events(matching: query, for: "me", after: nil, limit: 100).map(\.event.id))
      }
      try require(try await ids(100, 101) == ["long", "now", "endless"], "Other events of a day were found.")
      try require(try await ids(300, 301) == ["long", "endless", "later"], "Other events of a later day were found.")
      // An event that is moved is found at its new time only.
      try await subject.apply([.put(event("now", 150))])
      try require(try await ids(100, 101) == ["long", "endless"], "A moved event was found at its old time.")
      try require(try await ids(150, 151) == ["long", "now", "endless"], "A moved event was not found.")
    },

    Check("reading.separation", "Accounts and collections are separate, and compared byte by byte.") { subject in
      let accounts = ["me", "ME", "me ", "m\u{E9}", "me\u{301}", ""]
      let collections: [SyncCollection] = [.events(calendarID: "a"), .events(calendarID: "A"), .events(calendarID: "")]
      for account in accounts {
        for collection in collections {
          try await subject.apply(
            [.put(Subject.event("x", "\(account)|\(collection.calendarID ?? "")"))], in: collection, for: account)
        }
      }
      for account in accounts {
        try require(
          Set(try await subject.other.collections(for: account)) == Set(collections), "Other collections are listed.")
        for collection in collections {
          let expected = Subject.event("x", "\(account)|\(collection.calendarID ?? "")")
          try require(
            try await subject.all(in: collection, for: account) == [expected],
            "The resources of another account or calendar were read.")
        }
      }
    },
  ]

  static let accessChecks = [
    Check("access.shared", "A transaction is immediately visible to another store with the same content.") { subject in
      for number in 1...5 {
        try await subject.apply([.put(Subject.event("a", "\(number)"))])
        try require(
          try await subject.other.resource("a", in: Subject.events, for: "me") == Subject.event("a", "\(number)"),
          "The previous content was read.")
      }
    },

    Check("access.read-during-write", "A read during a transaction sees all of it, or nothing.") { subject in
      let ids = (0..<40).map { "event\($0)" }
      let last = 30
      func steps(_ number: Int) -> [SyncTransaction.Step] { ids.map { .put(Subject.event($0, "\(number)")) } }
      try await subject.apply(steps(0))
      let writer = Task {
        for number in 1...last { try await subject.apply(steps(number)) }
      }
      var seen = 0
      while seen < last {
        // Without this, a store that never returns the last content would be read forever.
        try Task.checkCancellation()
        let summaries = Set(
          try await subject.all(from: subject.other).map { resource -> String? in
            if case .event(let event) = resource { event.summary } else { nil }
          })
        try require(summaries.count == 1, "A part of a transaction was read.")
        let number = summaries.first.flatMap { $0 }.flatMap { Int($0) } ?? -1
        try require(number >= seen, "Older content was read than before.")
        seen = number
        await Task.yield()
      }
      try await writer.value
    },

    Check("access.one-winner", "Of several transactions that expect the same state, one is applied.") { subject in
      try await subject.apply([])
      let state = try await subject.store.state(of: Subject.events, for: "me")
      let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
        for number in 1...8 {
          let store = number.isMultiple(of: 2) ? subject.store : subject.other
          group.addTask {
            do {
              try await store.apply(
                SyncTransaction(
                  account: "me", collection: Subject.events, expected: state,
                  state: SyncState(query: "q", syncToken: "\(number)"), steps: [.put(Subject.event("\(number)"))]))
              return number
            } catch let error as CalendarStoreError where error.code == .superseded {
              return nil
            }
          }
        }
        return try await group.reduce(into: [Int]()) { winners, number in if let number { winners.append(number) } }
      }
      try require(winners.count == 1, "\(winners.count) were applied.")
      try require(try await subject.ids() == winners.map(String.init), "The resources are not those of the winner.")
    },

    Check(
      "access.cancellation", "A transaction of a cancelled task is applied as a whole, or throws CancellationError."
    ) {
      subject in
      for number in 1...20 {
        let id = "event\(number)"
        let task = Task { try await subject.apply([.put(Subject.event(id)), .put(Subject.event("\(id)b"))]) }
        if number.isMultiple(of: 2) { await Task.yield() }
        task.cancel()
        let isApplied: Bool
        do {
          _ = try await task.value
          isApplied = true
        } catch is CancellationError {
          isApplied = false
        }
        let found = try await subject.ids().filter { $0 == id || $0 == "\(id)b" }.count
        try require(found == (isApplied ? 2 : 0), "\(found) of 2 resources are there.")
      }
    },
  ]
}
