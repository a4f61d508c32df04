// SPDX-License-Identifier: Apache-2.0

/// The events of a calendar in the order in which they came, deleted ones included.
struct EventTable: Sendable {
  private(set) var events: [StoredEvent] = []
  private var slots: [String: Int] = [:]
  private var slotsByUID: [String: [Int]] = [:]
  private var slotsBySeries: [String: [Int]] = [:]

  subscript(id: String) -> StoredEvent? { slots[id].map { events[$0] } }

  /// Where an event is in ``events``.
  func slot(_ id: String) -> Int? { slots[id] }

  /// The events that share an iCalendar identifier.
  func events(iCalUID: String) -> [StoredEvent] { (slotsByUID[iCalUID] ?? []).map { events[$0] } }

  /// The changed and cancelled instances of a series.
  func exceptions(of seriesID: String) -> [StoredEvent] { (slotsBySeries[seriesID] ?? []).map { events[$0] } }

  /// The instances of a series that are changed or cancelled on their own.
  func exceptionSlots(of seriesID: String) -> Set<Int64> {
    Set((slotsBySeries[seriesID] ?? []).compactMap { events[$0].exception?.originalStart.slot })
  }

  /// Stores an event in place of that of the same identifier.
  mutating func put(_ event: StoredEvent) {
    if let slot = slots[event.id] {
      let former = events[slot].iCalUID
      events[slot] = event
      if former != event.iCalUID {
        slotsByUID[former]?.removeAll { $0 == slot }
        slotsByUID[event.iCalUID, default: []].append(slot)
      }
      return
    }
    let slot = events.count
    events.append(event)
    slots[event.id] = slot
    slotsByUID[event.iCalUID, default: []].append(slot)
    if let seriesID = event.exception?.seriesID { slotsBySeries[seriesID, default: []].append(slot) }
  }
}
