// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// An edit whose fields another client has changed too, since the copy was made.
///
/// The description contains no value.
public struct EditConflict: Sendable, Hashable {
  /// The identifier of the calendar.
  public let calendarID: String
  /// The identifier of the event.
  public let eventID: String
  /// The event on which the edit was made.
  public let base: Event
  /// The edited event, or `nil` for a deletion.
  public let ours: Event?
  /// The event on the server, or `nil` if it was deleted.
  public let theirs: Event?

  init(_ change: EventChange, in calendarID: String, theirs: Event?) {
    self.calendarID = calendarID
    eventID = change.eventID
    base = change.base ?? Event()
    ours = if case .patch(let patch) = change.action { patch.applied(to: base) } else { nil }
    self.theirs = theirs
  }
}

extension EditConflict: CustomStringConvertible, CustomReflectable {
  /// The kinds of both changes.
  public var description: String {
    "\(ours == nil ? "deleted" : "edited") here, \(theirs == nil ? "deleted" : "changed") on the server"
  }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["conflict": description]) }
}

/// The resolution of a conflict.
public enum ConflictResolution: Sendable, Hashable {
  /// The edit is made: its fields get our values, and other fields keep theirs.
  ///
  /// A deleted event is created again.
  case ours
  /// The edit is dropped.
  case theirs
  /// Each field keeps the value of the only side that changed it, or theirs if both did.
  ///
  /// Attendees are merged one by one. A deletion by them stays, and a deletion by us is dropped.
  case merge
  /// The event is changed to these values.
  case use(Event)
  /// The edit stays in the store, in conflict, until it is resolved or discarded.
  case report
}

extension EventChange {
  /// Returns the change for ending a conflict, or `nil` if there is nothing to change.
  ///
  /// - Parameter theirs: The event on the server, with status `cancelled` if it was deleted.
  func resolved(by resolution: ConflictResolution, with theirs: Event) -> EventChange? {
    let isDeleted = theirs.status == .cancelled
    var patch: Event.Patch
    switch (resolution, action) {
    case (.theirs, _), (.report, _), (_, .insert), (.merge, .delete): return nil
    case (.use(let event), _): patch = isDeleted ? .set(event) : Event.Patch(from: theirs, to: event)
    case (_, .delete):
      return isDeleted ? nil : .deleting(eventID, base: theirs, sendUpdates: sendUpdates)
    case (.merge, .patch(let ours)):
      if isDeleted { return nil }
      patch = ours.merged(base: base ?? Event(), theirs: theirs)
    case (.ours, .patch(let ours)):
      patch = isDeleted ? .set(ours.applied(to: base ?? Event())) : ours.withPeriod(of: base)
    }
    patch = patch.removing(isDeleted ? Event.namesOfIdentity : Event.namesOfIdentity.union(["status"]))
    if isDeleted { patch.status = .set(.confirmed) }
    if patch.isEmpty { return nil }
    if isDeleted {
      return EventChange(eventID, .patch(patch), base: theirs, if: theirs.condition, sendUpdates: sendUpdates)
    }
    return .editing(eventID, patch, base: theirs, sendUpdates: sendUpdates)
  }
}

extension Event {
  /// The fields never changed by an edit.
  static let namesOfIdentity: Set<String> = [
    "attendeesOmitted", "iCalUID", "id", "organizer", "originalStartTime", "privateCopy", "recurringEventId",
    "sequence",
  ]

  /// The condition that the event is still this version.
  var condition: EventChange.Condition { etag.map { .version($0) } ?? .none }
}

extension Event.Patch {
  /// The start and the end belong together.
  private static let period: Set<String> = ["start", "end"]

  private var changesPeriod: Bool { changes["start"] != nil || changes["end"] != nil }

  /// Returns the patch with both times if it changes one of them.
  func withPeriod(of base: Event?) -> Event.Patch {
    guard changesPeriod, let base else { return self }
    let ours = applied(to: base)
    var patch = self
    if let start = ours.start, let end = ours.end {
      patch.start = .set(start)
      patch.end = .set(end)
    }
    return patch
  }

  /// Returns the changes of the fields that still have the base's value on the server, and of attendees.
  fileprivate func merged(base: Event, theirs: Event) -> Event.Patch {
    let inverse = Event.Patch(from: applied(to: base), to: base)
    func isTheirs(_ name: String) -> Bool {
      guard let old = inverse.changes[name] else { return false }
      return !Event.Patch { $0.changes = .object([name: old]) }.isMade(in: theirs)
    }
    var names = Set((changes.object ?? [:]).keys.filter(isTheirs))
    if !names.isDisjoint(with: Self.period) { names.formUnion(Self.period) }
    var merged = removing(names)
    if merged.changesPeriod { merged = withPeriod(of: base).removing(names) }
    return merged.mergingAttendees(ours: applied(to: base), base: base, theirs: theirs, if: names)
  }

  /// Returns the patch with the attendees of both sides, each with the value of the side that changed it.
  private func mergingAttendees(ours: Event, base: Event, theirs: Event, if names: Set<String>) -> Event.Patch {
    guard names.contains("attendees") else { return self }
    func byAddress(_ event: Event) -> [String: EventAttendee] {
      Dictionary((event.attendees ?? []).map { ($0.address, $0) }) { first, _ in first }
    }
    let (old, new, known) = (byAddress(base), byAddress(ours), byAddress(theirs))
    let kept = (theirs.attendees ?? []).compactMap { attendee -> EventAttendee? in
      guard let before = old[attendee.address] else { return attendee }
      guard let after = new[attendee.address] else { return nil }
      return attendee == before ? after : attendee
    }
    let added = (ours.attendees ?? []).filter { old[$0.address] == nil && known[$0.address] == nil }
    var patch = self
    patch.attendees = .set(kept + added)
    return patch
  }
}

extension EventAttendee {
  /// The address by which attendees are compared.
  fileprivate var address: String { email?.lowercased() ?? "" }
}
