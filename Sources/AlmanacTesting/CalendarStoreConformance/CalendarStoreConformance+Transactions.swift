// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import JSONCoding
import Timekeeping

extension CalendarStoreConformance {
  static let transactionChecks = [
    Check("state.none-at-first", "A new store has no state, no collection and no resource.") { subject in
      try require(try await subject.store.state(of: Subject.events, for: "me") == nil, "There is a state.")
      try require(try await subject.store.collections(for: "me").isEmpty, "There is a collection.")
      try require(try await subject.all().isEmpty, "There is a resource.")
      try require(
        try await subject.store.resource("a", in: Subject.events, for: "me") == nil, "A resource is returned.")
    },

    Check("state.fields", "A state is read with every field as it was written, and its collection is listed.") {
      subject in
      let samples = [
        SyncState(query: ""),
        SyncState(
          query: "a=b&c='\"\u{0}é", syncToken: "CPDAlvWDx70CEPDAlvWDx70CGAU=", pageToken: "日本", fullPass: 7,
          completed: Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: 1)),
        SyncState(query: "q", pageToken: "", fullPass: .max),
      ]
      var last: SyncState?
      for state in samples {
        try await subject.store.apply(
          SyncTransaction(account: "me", collection: Subject.events, expected: last, state: state))
        for store in [subject.store, subject.other] {
          try require(
            try await store.state(of: Subject.events, for: "me") == state, "Another state was read: \(state).")
          try require(try await store.collections(for: "me") == [Subject.events], "The collection is not listed.")
        }
        last = state
      }
    },

    Check("resources.fields", "A resource of each kind is read as it was written, with unknown fields.") { subject in
      let samples: [(SyncCollection, SyncResource)] = [
        (
          .calendarList,
          .calendar(
            CalendarListEntry {
              $0.id = "work@example.com"; $0.summary = "Arbeit \u{1F4C5}"; $0.deleted = false
            })
        ),
        (
          .settings,
          .setting(
            Setting {
              $0.id = "timezone"; $0.value = "Europe/Madrid"
            })
        ),
        (Subject.events, .event(event)),
        (
          .accessRules(calendarID: "work@example.com"),
          .accessRule(
            AclRule {
              $0.id = "user:a@example.com"; $0.role = .reader
            })
        ),
        (.edits, try Subject.edit),
      ]
      for (collection, resource) in samples {
        try await subject.apply([.put(resource)], in: collection)
        for store in [subject.store, subject.other] {
          try require(
            try await store.resource(resource.id ?? "", in: collection, for: "me") == resource,
            "Another resource was read: \(collection).")
          try require(
            try await subject.all(in: collection, from: store) == [resource],
            "Other resources are listed: \(collection).")
        }
      }
    },

    Check("transactions.changes", "A transaction returns what it has changed, with the content before and after.") {
      subject in
      let (old, new) = (Subject.event("a", "old"), Subject.event("a", "new"))
      let inserted = try await subject.apply([.put(old)])
      try require(
        inserted == [SyncChange("a", in: Subject.events, from: nil, to: old)], "An insertion was not returned.")
      try require(try await subject.apply([.put(old)]).isEmpty, "An equal resource was returned as a change.")
      let updated = try await subject.apply([.put(new), .remove("missing")])
      try require(updated == [SyncChange("a", in: Subject.events, from: old, to: new)], "An update was not returned.")
      let removed = try await subject.apply([.remove("a")])
      try require(removed == [SyncChange("a", in: Subject.events, from: new, to: nil)], "A removal was not returned.")
      try require(try await subject.all().isEmpty, "The removed resource is still there.")
    },

    Check("transactions.order", "The steps of a transaction are applied in their order.") { subject in
      try await subject.apply([
        .put(Subject.event("a", "1")), .put(Subject.event("a", "2")), .put(Subject.event("b")), .remove("b"),
        .remove("c"), .put(Subject.event("c")),
      ])
      try require(
        try await subject.all() == [Subject.event("a", "2"), Subject.event("c")], "Another order was used.")
    },

    Check("transactions.fence", "A transaction that expects another state is superseded, and changes nothing.") {
      subject in
      let state = SyncState(query: "q", syncToken: "token")
      func apply(expecting expected: SyncState?) async throws -> CalendarStoreError.Code? {
        do {
          try await subject.other.apply(
            SyncTransaction(
              account: "me", collection: Subject.events, expected: expected, state: state,
              steps: [.put(Subject.event("b"))]))
          return nil
        } catch let error as CalendarStoreError {
          return error.code
        }
      }
      try require(
        try await apply(expecting: state) == .superseded,
        "A transaction that expects a state changed a collection without one.")
      try await subject.apply([.put(Subject.event("a"))])
      let current = try await subject.store.state(of: Subject.events, for: "me")
      var others: [SyncState?] = [nil, state]
      for change in [\SyncState.syncToken, \.pageToken] {
        var other = current
        other?[keyPath: change] = "other"
        others.append(other)
      }
      for other in others {
        try require(
          try await apply(expecting: other) == .superseded,
          "A transaction that expects another state was not superseded.")
        try require(try await subject.ids() == ["a"], "A resource was changed.")
        try require(
          try await subject.store.state(of: Subject.events, for: "me") == current, "The state was changed.")
      }
      try require(try await apply(expecting: current) == nil, "The current state was not accepted.")
    },

    Check("transactions.whole", "A transaction with a resource that cannot be stored changes nothing.") { subject in
      try await subject.apply([.put(Subject.event("a", "1"))])
      let state = try await subject.store.state(of: Subject.events, for: "me")
      var code: CalendarStoreError.Code?
      do {
        try await subject.apply([.put(Subject.event("a", "2")), .put(Subject.event("b")), .put(.event(Event()))])
      } catch let error as CalendarStoreError {
        code = error.code
      }
      try require(code == .invalidResource, "The transaction did not throw invalidResource.")
      try require(try await subject.all() == [Subject.event("a", "1")], "A resource was changed.")
      try require(try await subject.store.state(of: Subject.events, for: "me") == state, "The state was changed.")
    },
  ]

  private static let event = Event {
    $0.id = "base_20260325T130000Z"
    $0.recurringEventID = "base"
    $0.summary = "é e\u{301} 日本語 👩‍👩‍👧‍👦 \"\\\u{0}\n'--"
    $0.description = String(repeating: "0123456789abcdef", count: 8_192)
    $0.start = EventDateTime(date: CivilDate(daysSince1970: 20_537))
    $0.attendees = (0..<200).map { number in EventAttendee { $0.email = "guest\(number)@example.com" } }
    $0.additionalFields = ["later": .object(["a": .array([.null, .string("\u{2028}")])])]
  }
}
