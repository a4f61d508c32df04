// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import CalendarAPI
import CalendarSync
import TestSupport
import Testing
import Timekeeping

/// Random edits of a copy without network, and random changes of the server by another client.
///
/// A reference of plain values says what the server must have after a resolution of all conflicts.
final class ThreeWayHistory {
  /// The values of an event; those of a deleted one are kept.
  struct Values: Hashable {
    var fields: [String: String] = [:]
    var guests: Set<String> = []
    var isDeleted = false
  }

  private struct Edit {
    let id: String
    /// The event as we saw it before the edit.
    let base: Values
    /// The event as we see it since; a deletion has a mark.
    let ours: Values
    var isInsertion = false
  }

  private static let names = ["summary", "location", "description", "start"]

  let seed: UInt64
  let harness: SyncHarness
  private var numbers: SeededNumbers
  private let calendarID: String
  /// The events on the server.
  private(set) var server: [String: Values] = [:]
  /// The events as the copy must show them.
  private var copy: [String: Values] = [:]
  private var edits: [Edit] = []
  private var made = 0

  init(seed: UInt64, store: any CalendarStore) async throws {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    harness = try await SyncHarness(store: store)
    calendarID = try await harness.primary
    for _ in 0..<3 {
      let values = newValues()
      let id = "event\(seed)v\(server.count)"
      try await harness.insert(Self.event(values, id))
      server[id] = values
    }
    copy = server
    _ = try await harness.synchronizer().synchronize()
  }

  /// Makes edits here and changes there, in any order.
  func run() async throws {
    let editor = CalendarEditor(client: harness.client, store: harness.store, account: "me", clock: harness.clock)
    for _ in 0..<Int.random(in: 2...10, using: &numbers) {
      if Bool.random(using: &numbers) { try await editHere(editor) } else { try await changeThere() }
    }
    try await expectCopy()
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &numbers)]
  }

  private func newValues() -> Values {
    made += 1
    let guests = ["g1@example.org", "g2@example.org", "g3@example.org"].filter { _ in Bool.random(using: &numbers) }
    let fields = ["summary": "Event \(made)", "start": "2026-03-0\(Int.random(in: 1...9, using: &numbers))"]
    return Values(fields: fields, guests: Set(guests))
  }

  private func changed(_ values: Values) -> Values {
    var values = values
    for _ in 0..<Int.random(in: 1...2, using: &numbers) {
      made += 1
      switch pick(Self.names + ["guests", "guests", "guests"]) {
      case "start": values.fields["start"] = "2026-03-1\(Int.random(in: 0...9, using: &numbers))"
      case "guests":
        let guest = "g\(Int.random(in: 1...4, using: &numbers))@example.org"
        if values.guests.remove(guest) == nil { values.guests.insert(guest) }
      case let name:
        // Both sides can set the same value.
        values.fields[name] = Int.random(in: 0...4, using: &numbers) == 0 ? "Same" : "\(name) \(made)"
      }
    }
    return values
  }

  private func editHere(_ editor: CalendarEditor) async throws {
    let known = copy.filter { !$0.value.isDeleted }.keys.sorted()
    if known.isEmpty || Int.random(in: 0..<6, using: &numbers) == 0 {
      let values = newValues()
      let id = try #require(try await editor.insert(Self.event(values, nil), in: calendarID).id)
      edits.append(Edit(id: id, base: values, ours: values, isInsertion: true))
      copy[id] = values
      return
    }
    let id = pick(known)
    let base = try #require(copy[id])
    var ours = base
    if Int.random(in: 0..<6, using: &numbers) == 0 {
      ours.isDeleted = true
      try await editor.delete(id, in: calendarID)
    } else {
      ours = changed(base)
      try await editor.edit(id, in: calendarID) { try Self.set(ours, of: &$0) }
      if ours == base { return }
    }
    edits.append(Edit(id: id, base: base, ours: ours))
    copy[id] = ours
  }

  private func changeThere() async throws {
    let known = server.filter { !$0.value.isDeleted }.keys.sorted()
    guard !known.isEmpty else { return }
    let id = pick(known)
    if Int.random(in: 0..<6, using: &numbers) == 0 {
      try await harness.client.events.delete(id, in: calendarID)
      server[id]?.isDeleted = true
      return
    }
    let values = changed(try #require(server[id]))
    try await harness.client.events.modify(id, in: calendarID) { try Self.set(values, of: &$0) }
    server[id] = values
  }
}

// The events.
extension ThreeWayHistory {
  private static func event(_ values: Values, _ id: String?) throws -> Event {
    var event = Event()
    event.id = id
    try set(values, of: &event)
    return event
  }

  private static func set(_ values: Values, of event: inout Event) throws {
    event.summary = values.fields["summary"]
    event.location = values.fields["location"]
    event.description = values.fields["description"]
    let day = try CivilDate(rfc3339: values.fields["start"] ?? "")
    event.period = .allDay(day..<day.adding(days: 1))
    let known = Set((event.attendees ?? []).compactMap(\.email))
    let attendees =
      (event.attendees ?? []).filter { values.guests.contains($0.email ?? "") }
      + values.guests.subtracting(known).sorted().map { EventAttendee(email: $0) }
    event.attendees = attendees.isEmpty && event.attendees == nil ? nil : attendees
  }

  private static func values(_ event: Event) -> Values {
    var values = Values()
    values.fields["summary"] = event.summary
    values.fields["location"] = event.location
    values.fields["description"] = event.description
    values.fields["start"] = event.start?.date?.description
    values.guests = Set((event.attendees ?? []).compactMap(\.email))
    values.isDeleted = event.status == .cancelled
    return values
  }

  /// Checks that the copy shows the events as we edited them.
  func expectCopy() async throws {
    let query = EventQuery(calendarIDs: [calendarID])
    var found: [String: Values] = [:]
    for event in try await harness.store.events(matching: query, for: "me").all() {
      if let id = event.event.id, copy[id] != nil { found[id] = Self.values(event.event) }
    }
    #expect(found == copy.filter { !$0.value.isDeleted }, "seed \(seed)")
  }

  /// Checks that the server has the events that a resolution of all conflicts leaves.
  func expectServer(after resolution: ConflictResolution) async throws {
    let expected = server(after: resolution)
    var found: [String: Values] = [:]
    var titles: [String] = []
    for try await event in harness.client.events.all(in: calendarID) {
      guard let id = event.id, event.status != .cancelled else { continue }
      if expected[id] != nil { found[id] = Self.values(event) }
      if let title = event.summary, title.hasPrefix("Event ") { titles.append(title) }
    }
    #expect(found == expected.filter { !$0.value.isDeleted }, "seed \(seed)")
    #expect(Set(titles).count == titles.count, "An event was inserted twice, seed \(seed).")
  }

  private func server(after resolution: ConflictResolution) -> [String: Values] {
    var server = server
    for edit in edits {
      if edit.isInsertion {
        server[edit.id] = edit.ours
      } else if let theirs = server[edit.id] {
        server[edit.id] = Self.result(edit, theirs, resolution)
      }
    }
    return server
  }

  /// The values of an event after an edit of it.
  private static func result(_ edit: Edit, _ theirs: Values, _ resolution: ConflictResolution) -> Values {
    let (base, ours) = (edit.base, edit.ours)
    if ours.isDeleted {
      if theirs.isDeleted || theirs.fields == base.fields || resolution == .ours {
        var deleted = theirs
        deleted.isDeleted = true
        return deleted
      }
      return theirs
    }
    if theirs.isDeleted { return resolution == .ours ? ours : theirs }
    let names = Self.names.filter { ours.fields[$0] != base.fields[$0] }
    let changesGuests = ours.guests != base.guests
    let isMade =
      names.allSatisfy { theirs.fields[$0] == ours.fields[$0] } && (!changesGuests || theirs.guests == ours.guests)
    if isMade { return theirs }
    let taken = names.filter { theirs.fields[$0] != base.fields[$0] }
    let hasOtherGuests = changesGuests && theirs.guests != base.guests
    let isConflict = !taken.isEmpty || hasOtherGuests
    if isConflict, resolution == .theirs { return theirs }
    var result = theirs
    for name in names where !(isConflict && resolution == .merge && taken.contains(name)) {
      result.fields[name] = ours.fields[name]
    }
    if changesGuests {
      if hasOtherGuests, resolution == .merge {
        result.guests.subtract(base.guests.subtracting(ours.guests))
        result.guests.formUnion(ours.guests.subtracting(base.guests))
      } else {
        result.guests = ours.guests
      }
    }
    return result
  }
}
