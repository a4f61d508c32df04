// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Recurrence
import Timekeeping

/// The sending of a stored edit: makes each change, and then stores the progress.
struct EditRun {
  /// The result of sending a change.
  private enum Outcome {
    /// The change is made, with the event if the server returned it.
    case made(Event?)
    /// The server's event has other values in the fields of the change.
    case conflict(theirs: Event)
  }

  let client: CalendarClient
  let store: any CalendarStore
  let account: String
  let resolve: @Sendable (EditConflict) async throws -> ConflictResolution

  /// Makes the remaining changes.
  ///
  /// - Parameters:
  ///   - edit: The edit as it is stored.
  ///   - isKept: Whether a refused or conflicting edit stays in the store.
  /// - Throws: The error by which the edit is refused, or an error that leaves it pending.
  @concurrent func make(_ edit: PendingEdit, isKept: Bool) async throws {
    var edit = edit
    var refusal: (any Error)?
    while true {
      var next: PendingEdit? = edit
      switch edit.state {
      case .conflict: return
      case .refused(let reason): throw refusal ?? CalendarEditError(.conflict, reason)
      case .undoing(let reason):
        for insertion in edit.insertions { try await remove(insertion, in: edit.calendarID) }
        next?.state = .refused(reason: reason)
        if !isKept { next = nil }
        if try await store.replace(edit, with: next, for: account) {
          throw refusal ?? CalendarEditError(.conflict, reason)
        }
      case .sending where edit.completed == edit.changes.count:
        if try await store.replace(edit, with: nil, for: account) { return }
      case .sending:
        do {
          next = try await progress(of: edit, isKept: isKept)
        } catch let error where edit.completed <= edit.decisive && error.refusal != nil {
          refusal = error
          next?.state = .undoing(reason: error.refusal ?? "")
        }
        if try await store.replace(edit, with: next, for: account) {
          guard let next else { return }
          edit = next
          continue
        }
      }
      // Another program makes the same changes.
      guard let stored = try await store.pendingEdit(edit.id, for: account) else { return }
      edit = stored
    }
  }

  /// Makes the next change of an edit.
  ///
  /// - Returns: The edit afterwards, or `nil` if it is dropped.
  private func progress(of edit: PendingEdit, isKept: Bool) async throws -> PendingEdit? {
    var next = edit
    let change = edit.changes[edit.completed]
    switch try await send(change, of: edit) {
    case .made(let event):
      try await copy(event, of: change, in: edit.calendarID)
      next.completed += 1
    case .conflict(let theirs):
      // An edit with several changes was planned for another version.
      guard edit.changes.count == 1, change.base != nil else { throw CalendarEditError.conflict }
      let conflict = EditConflict(change, in: edit.calendarID, theirs: theirs.status == .cancelled ? nil : theirs)
      let resolution = try await resolve(conflict)
      if case .report = resolution {
        guard isKept else { throw CalendarEditError.conflict }
        next.state = .conflict(conflict)
      } else {
        guard let resolved = change.resolved(by: resolution, with: theirs) else { return nil }
        next.changes[edit.completed] = resolved
      }
    }
    return next
  }
}

// Requests.
extension EditRun {
  private func send(_ change: EventChange, of edit: PendingEdit) async throws -> Outcome {
    switch change.action {
    case .insert(let event):
      do {
        return .made(
          try await client.events.insert(
            event, in: edit.calendarID, .init(writing: event, sendUpdates: change.sendUpdates)))
      } catch let error as CalendarError where error.code == .duplicate {
        // The identifier is the edit's own: an earlier attempt has inserted the event.
        let inserted = try await client.events.get(change.eventID, in: edit.calendarID)
        return .made(inserted.status == .cancelled ? nil : inserted)
      }
    case .patch(let patch):
      let request = EventsResource.patch(
        patch, for: change.eventID, in: edit.calendarID, .init(writing: patch, sendUpdates: change.sendUpdates))
      return try await send(request, change, of: edit) { $0 }
    case .delete:
      let request = EventsResource.delete(change.eventID, in: edit.calendarID, sendUpdates: change.sendUpdates)
      do {
        return try await send(request, change, of: edit) { nil }
      } catch let error as CalendarError where error.isOfAbsence {
        return .made(nil)
      }
    }
  }

  /// Sends a change if its condition is met, or finds that it was made.
  private func send<Response>(
    _ request: CalendarRequest<Response>, _ change: EventChange, of edit: PendingEdit, event: (Response) -> Event?
  ) async throws -> Outcome {
    var request = request
    switch change.condition {
    case .none: break
    case .version(let tag): request.ifMatch = tag
    case .fields: request.ifMatch = change.base?.etag
    }
    var attempts = 0
    while true {
      if request.ifMatch == nil, case .fields(let fields) = change.condition {
        let current = try await client.events.get(change.eventID, in: edit.calendarID)
        if change.isMade(in: current, of: edit) { return .made(current) }
        guard current.status != .cancelled, fields.isMade(in: current) else { return .conflict(theirs: current) }
        request.ifMatch = current.etag
      }
      attempts += 1
      do {
        return .made(event(try await client.send(request)))
      } catch let error as CalendarError where error.isOfCondition {
        guard case .fields = change.condition, attempts < 5 else {
          let current = try await client.events.get(change.eventID, in: edit.calendarID)
          if change.isMade(in: current, of: edit) { return .made(current) }
          return .conflict(theirs: current)
        }
        // Another field may have changed. The next round compares the fields of this change.
        request.ifMatch = nil
      }
    }
  }

  /// Removes an event inserted by the edit.
  private func remove(_ insertion: EventChange, in calendarID: String) async throws {
    do {
      try await client.events.delete(insertion.eventID, in: calendarID, sendUpdates: insertion.sendUpdates)
    } catch let error as CalendarError where error.isOfAbsence {}
    try await copy(nil, of: EventChange(insertion.eventID, .delete), in: calendarID)
  }

  /// Stores a made change in the copy, which shows it until the next synchronization.
  private func copy(_ event: Event?, of change: EventChange, in calendarID: String) async throws {
    let collection = SyncCollection.events(calendarID: calendarID)
    let step: SyncTransaction.Step
    switch (change.action, event) {
    case (.delete, _) where change.base?.recurringEventID != nil:
      step = .put(.event(.cancelled(change.base ?? Event())))
    case (.delete, _): step = .remove(change.eventID)
    case (_, let event?) where event.id == change.eventID: step = .put(.event(event))
    default: return
    }
    while let state = try await store.state(of: collection, for: account) {
      do {
        try await store.apply(
          SyncTransaction(account: account, collection: collection, expected: state, state: state, steps: [step]))
        return
      } catch let error as CalendarStoreError where error.code == .superseded {
        try Task.checkCancellation()
      }
    }
  }
}

extension EventChange {
  /// Whether an event has the change.
  ///
  /// The original event of a split can have other changes too. It has the change if it ends before the split.
  fileprivate func isMade(in event: Event, of edit: PendingEdit) -> Bool {
    switch action {
    case .insert: return true
    case .delete: return event.status == .cancelled
    case .patch(let patch):
      if event.status == .cancelled { return false }
      if patch.isMade(in: event) { return true }
      guard let split = edit.split, condition != .none, let series = EventSeries(event) else { return false }
      return series.set.occurrences(from: split).first { _ in true } == nil
    }
  }
}

extension CalendarError {
  /// Whether the event does not exist.
  fileprivate var isOfAbsence: Bool { code == .notFound || code == .deleted }

  /// Whether the version is not the expected one.
  fileprivate var isOfCondition: Bool { remedy == .refetch || code == .outcomeUnknown && status == 412 }
}

extension Error {
  /// The message of an error for which the same edit can never be made, or `nil` for others.
  fileprivate var refusal: String? {
    if let error = self as? CalendarEditError { return error.message }
    guard let error = self as? CalendarError else { return nil }
    return [.changeRequest, .obtainAccess, .treatAsDone, .refetch].contains(error.remedy) ? error.message : nil
  }
}
