// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import CalendarSyncSQLite
import Foundation

/// `store-forever FILE COUNT`: replaces COUNT events by those of the next number, in one transaction, and says each number once it is
/// stored, until it is killed.
@Sendable func storeForever(_ arguments: [String]) async throws {
  guard arguments.count == 2, let count = Int(arguments[1]) else {
    throw UsageError(description: "store-forever FILE COUNT")
  }
  let store = SQLiteCalendarStore(file: URL(filePath: arguments[0]))
  let collection = SyncCollection.events(calendarID: "calendar")
  while true {
    let state = try await store.state(of: collection, for: "me")
    let number = (state?.fullPass ?? 0) + 1
    let steps = (0..<count).map { index in
      SyncTransaction.Step.put(
        .event(
          Event {
            $0.id = "event\(index)"
            $0.summary = String(repeating: "\(number);", count: 200)
          }))
    }
    try await store.apply(
      SyncTransaction(
        account: "me", collection: collection, expected: state, state: SyncState(query: "", fullPass: number),
        steps: steps))
    say("\(number)")
  }
}
