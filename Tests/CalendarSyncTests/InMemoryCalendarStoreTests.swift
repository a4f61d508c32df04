// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import Testing

struct InMemoryCalendarStoreTests {
  private let kit = CalendarStoreConformance { InMemoryCalendarStore() }

  @Test(arguments: CalendarStoreConformance.checks)
  func keepsThePromise(_ check: CalendarStoreConformance.Check) async throws { try await kit.run(check) }

  @Test func resourcesAreReadInPortions() async throws {
    let store = InMemoryCalendarStore()
    let collection = SyncCollection.events(calendarID: "a")
    let ids = (0..<1_203).map { "event\($0)" }
    let steps = ids.map { id in SyncTransaction.Step.put(.event(Event { $0.id = id })) }
    try await store.apply(
      SyncTransaction(account: "me", collection: collection, expected: nil, state: SyncState(query: ""), steps: steps))
    let read = try await store.events(in: "a", of: "me").all().compactMap(\.id)
    #expect(read == ids.sorted())
    #expect(try await store.events(in: "b", of: "me").all().isEmpty)
  }

  @Test func storedFormIsReadAgain() throws {
    let event = Event {
      $0.id = "a"
      $0.additionalFields = ["later": .bool(true)]
    }
    let resource = SyncResource.event(event)
    let collection = SyncCollection.events(calendarID: "a")
    #expect(try SyncResource(json: resource.json(), in: collection) == resource)
    #expect(throws: CalendarError.self) { try SyncResource(json: Array("{".utf8), in: collection) }
  }
}
