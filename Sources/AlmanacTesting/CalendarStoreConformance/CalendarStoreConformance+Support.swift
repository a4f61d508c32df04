// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Timekeeping

extension CalendarStoreConformance.Subject {
  static let events = SyncCollection.events(calendarID: "work@example.com")

  static func event(_ id: String, _ summary: String = "", series: String? = nil) -> SyncResource {
    .event(
      Event {
        $0.id = id
        $0.summary = summary
        $0.recurringEventID = series
      })
  }

  /// An edit with a change of each kind.
  static var edit: SyncResource {
    get throws {
      let day = CivilDate(daysSince1970: 20_000)
      let event = Event {
        $0.id = "a"
        $0.etag = "\"1\""
        $0.start = EventDateTime(date: day)
        $0.end = EventDateTime(date: day.adding(days: 1))
        $0.recurrence = ["RRULE:FREQ=DAILY"]
      }
      let instance = Event {
        $0.recurringEventID = "a"
        $0.originalStartTime = EventDateTime(date: day.adding(days: 3))
      }
      let cancelled = Event {
        $0.id = "a_1"
        $0.recurringEventID = "a"
        $0.originalStartTime = EventDateTime(date: day.adding(days: 5))
        $0.status = .cancelled
      }
      let plan = try StoredSeries(event, exceptions: [cancelled], in: "work@example.com")
        .planEdit(.thisAndFollowing, of: instance, sendUpdates: .all) { $0.summary = "Arbeit \u{1F4C5}" }
      return .edit(PendingEdit(plan, created: Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: 1)))
    }
  }

  /// Applies a transaction to the current state.
  @discardableResult
  func apply(
    _ steps: [SyncTransaction.Step], in collection: SyncCollection = Self.events, for account: String = "me",
    fullPass: Int = 1, removesUnseen: Bool = false
  ) async throws -> [SyncChange] {
    let old = try await store.state(of: collection, for: account)
    let state = SyncState(query: "q", pageToken: old?.pageToken.map { $0 + "1" } ?? "1", fullPass: fullPass)
    return try await store.apply(
      SyncTransaction(
        account: account, collection: collection, expected: old, state: state, steps: steps,
        removesUnseen: removesUnseen))
  }

  /// Returns all resources of a collection in one portion.
  func all(
    in collection: SyncCollection = Self.events, for account: String = "me", from store: (any CalendarStore)? = nil
  ) async throws -> [SyncResource] {
    try await (store ?? self.store).resources(in: collection, for: account, after: nil, limit: 10_000)
  }

  func ids(in collection: SyncCollection = Self.events, for account: String = "me") async throws -> [String] {
    try await all(in: collection, for: account).compactMap(\.id)
  }
}
