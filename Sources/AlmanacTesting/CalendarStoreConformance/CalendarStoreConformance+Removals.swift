// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync

extension CalendarStoreConformance {
  static let removalChecks = [
    Check("removals.series", "A removed recurring event takes its instances with it, and nothing else.") { subject in
      try await subject.apply([
        .put(Subject.event("a")), .put(Subject.event("a_1", series: "a")), .put(Subject.event("a_2")),
        .put(Subject.event("b_1", series: "b")), .put(Subject.event("ab", series: "A")),
        .put(Subject.event("z", series: "a")),
      ])
      let other = SyncCollection.events(calendarID: "home@example.com")
      try await subject.apply([.put(Subject.event("a_1", series: "a"))], in: other)
      let changes = try await subject.apply([.remove("a")])
      try require(Set(changes.map(\.id)) == ["a", "a_1", "z"], "Other removals were returned.")
      try require(changes.allSatisfy { $0.kind == .removed }, "A removal was returned as another change.")
      try require(try await subject.ids() == ["a_2", "ab", "b_1"], "Other events were removed.")
      try require(try await subject.ids(in: other) == ["a_1"], "An event of another calendar was removed.")
    },

    Check("removals.orphans", "The instances of a recurring event that is not stored are removed with its identifier.")
    {
      subject in
      try await subject.apply([.put(Subject.event("a_1", series: "a"))])
      let changes = try await subject.apply([.remove("a")])
      try require(changes.map(\.id) == ["a_1"], "No removal was returned.")
      try require(try await subject.all().isEmpty, "The instance is still there.")
    },

    Check("removals.unseen", "The end of a full pass removes what the pass has not stored, and nothing else.") {
      subject in
      try await subject.apply(
        [.put(Subject.event("a")), .put(Subject.event("b")), .put(Subject.event("c"))], fullPass: 3)
      let other = SyncCollection.events(calendarID: "home@example.com")
      try await subject.apply([.put(Subject.event("a"))], in: other, fullPass: 3)
      // Equal content is stored too, so that it counts as seen.
      try await subject.apply([.put(Subject.event("a"))], fullPass: 4)
      try require(try await subject.ids() == ["a", "b", "c"], "Resources were removed before the end of the pass.")
      let changes = try await subject.apply([.put(Subject.event("d"))], fullPass: 4, removesUnseen: true)
      try require(Set(changes.map(\.id)) == ["b", "c", "d"], "Other changes were returned.")
      try require(try await subject.ids() == ["a", "d"], "Other resources were removed.")
      try require(try await subject.ids(in: other) == ["a"], "A resource of another calendar was removed.")
      let next = try await subject.apply([], fullPass: 5, removesUnseen: true)
      try require(next.count == 2, "A pass without resources did not remove all.")
    },

    Check("removals.collection", "A collection without a state has no resources, and is not listed.") { subject in
      try await subject.apply([.put(Subject.event("a")), .put(Subject.event("b"))])
      let rules = SyncCollection.accessRules(calendarID: "work@example.com")
      try await subject.apply([.put(.accessRule(AclRule { $0.id = "a" }))], in: rules)
      let state = try await subject.store.state(of: Subject.events, for: "me")
      let changes = try await subject.store.apply(
        SyncTransaction(account: "me", collection: Subject.events, expected: state, state: nil))
      try require(Set(changes.map(\.id)) == ["a", "b"], "The removals were not returned.")
      try require(try await subject.all().isEmpty, "A resource is still there.")
      try require(try await subject.other.collections(for: "me") == [rules], "Other collections are listed.")
      try require(try await subject.ids(in: rules) == ["a"], "A resource of another collection was removed.")
      try await subject.apply([.put(Subject.event("c"))])
      try require(try await subject.ids() == ["c"], "The collection cannot be stored again.")
    },
  ]
}
