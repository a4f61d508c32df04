// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
public import Timekeeping

/// An editor that changes events in the local copy at once, and on the server as soon as it can be reached.
///
/// ```swift
/// let editor = CalendarEditor(client: client, store: store, account: "me") { _ in .merge }
/// try await editor.insert(lunch, in: calendarID)                         // visible at once, without network
/// try await editor.edit(.thisAndFollowing, of: occurrence) { event in
///   event.summary = "Stand-up"
///   event.period = .on(day, at: 9, 30, for: .seconds(900), in: .current)
/// }
/// let remaining = try await editor.send()                                 // when there is network
/// ```
///
/// - **An edit is stored before its first request.** Queries of the store show it at once, with `isPending`. After an interruption at any
///   instant, ``send()`` makes the remaining changes, in this process or another one. No change is made twice.
/// - **Edits are sent in their order**, so an event is inserted before it is changed.
/// - **Another client's change is not overwritten** unless the edit changes the same fields and the conflict is resolved by
///   ``ConflictResolution/ours`` or ``ConflictResolution/use(_:)``. Changes of other fields are kept.
/// - **An edit refused by the server** has no effect, and is kept with its reason.
public final class CalendarEditor: Sendable {
  private let store: any CalendarStore
  private let account: String
  private let clock: any WallClock
  private let run: EditRun

  /// Creates an editor.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - store: The store of the copy, which also keeps the edits.
  ///   - account: The name of the account in the store.
  ///   - clock: The clock for ``PendingEdit/created``.
  ///   - resolve: Resolves a conflict. Defaults to ``ConflictResolution/report``.
  public init(
    client: CalendarClient, store: some CalendarStore, account: String, clock: some WallClock = SystemClock(),
    resolvingConflicts resolve: @concurrent @escaping @Sendable (EditConflict) async throws -> ConflictResolution = {
      _ in .report
    }
  ) {
    self.store = store
    self.account = account
    self.clock = clock
    run = EditRun(client: client, store: store, account: account, resolve: resolve)
  }
}

// Single events.
extension CalendarEditor {
  /// Inserts an event, which gets an identifier if it has none.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - calendarID: The identifier of the calendar in the calendar list, not `primary`.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  /// - Returns: The event with its identifier.
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  @discardableResult
  public func insert(
    _ event: Event, in calendarID: String, sendUpdates: SendUpdates? = nil
  ) async throws -> Event {
    var event = event
    let id = event.id ?? Event.makeIdentifier()
    event.id = id
    try await save(EventChange(id, .insert(event), sendUpdates: sendUpdates), in: calendarID)
    return event
  }

  /// Changes a single event, a recurring event as a whole, or an exception.
  ///
  /// To change an instance, or to move a recurring event, use ``edit(_:of:keepsExceptions:sendUpdates:_:)``.
  ///
  /// - Parameters:
  ///   - eventID: The identifier of the event.
  ///   - calendarID: The identifier of the calendar in the calendar list, not `primary`.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  ///   - change: Changes the event.
  /// - Returns: The changed event.
  /// - Throws: ``CalendarEditError``, ``CalendarStoreError``, `CancellationError`, or any error of `change`.
  @discardableResult
  public func edit(
    _ eventID: String, in calendarID: String, sendUpdates: SendUpdates? = nil, _ change: (inout Event) throws -> Void
  ) async throws -> Event {
    let event = try await event(eventID, in: calendarID)
    var changed = event
    try change(&changed)
    return try await save(changed, over: event, eventID, in: calendarID, sendUpdates)
  }

  /// Deletes a single event, a recurring event with its instances, or an exception.
  ///
  /// - Parameters:
  ///   - eventID: The identifier of the event.
  ///   - calendarID: The identifier of the calendar in the calendar list, not `primary`.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  /// - Throws: ``CalendarEditError``, ``CalendarStoreError``, or `CancellationError`.
  public func delete(_ eventID: String, in calendarID: String, sendUpdates: SendUpdates? = nil) async throws {
    let event = try await event(eventID, in: calendarID)
    try await save(.deleting(eventID, base: event, sendUpdates: sendUpdates), in: calendarID)
  }

  private func event(_ id: String, in calendarID: String) async throws -> Event {
    guard let event = try await store.visibleEvent(id, in: calendarID, for: account), event.status != .cancelled
    else { throw CalendarEditError.notStored }
    return event
  }

  /// Stores the fields in which an event differs from the stored version.
  @concurrent private func save(
    _ changed: Event, over event: Event, _ eventID: String, in calendarID: String, _ sendUpdates: SendUpdates?
  ) async throws -> Event {
    let patch = Event.Patch(from: event, to: changed).removing(Event.namesOfIdentity)
    if patch.isEmpty { return event }
    if event.attendeesOmitted == true, patch.changes["attendees"] != nil { throw CalendarEditError.attendeesOmitted }
    try await save(.editing(eventID, patch, base: event, sendUpdates: sendUpdates), in: calendarID)
    return patch.applied(to: event)
  }

  private func save(_ change: EventChange, in calendarID: String) async throws {
    _ = try await store.add(PendingEdit(change, in: calendarID, created: clock.now), for: account)
  }
}

// Recurring events.
extension CalendarEditor {
  /// Edits instances of a recurring event.
  ///
  /// See ``StoredSeries/planEdit(_:of:keepsExceptions:sendUpdates:_:)``.
  ///
  /// - Parameters:
  ///   - scope: The instances to change.
  ///   - occurrence: An instance of the event.
  ///   - keepsExceptions: Whether changed and cancelled instances in the scope stay changed or cancelled.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  ///   - change: Changes the instance.
  /// - Throws: ``CalendarEditError``, ``CalendarStoreError``, `CancellationError`, or any error of `change`.
  public func edit(
    _ scope: SeriesScope, of occurrence: EventOccurrence, keepsExceptions: Bool = true, sendUpdates: SendUpdates? = nil,
    _ change: (inout Event) throws -> Void
  ) async throws {
    let series = try await series(of: occurrence)
    var changed = occurrence.event
    try change(&changed)
    try await save(
      try await series.plan(
        scope, of: occurrence.event, changed: changed, keepsExceptions: keepsExceptions, sendUpdates: sendUpdates))
  }

  /// Deletes instances of a recurring event.
  ///
  /// - Parameters:
  ///   - scope: The instances to delete.
  ///   - occurrence: An instance of the event.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  /// - Throws: ``CalendarEditError``, ``CalendarStoreError``, or `CancellationError`.
  @concurrent public func delete(
    _ scope: SeriesScope, of occurrence: EventOccurrence, sendUpdates: SendUpdates? = nil
  ) async throws {
    try await save(
      try await series(of: occurrence).planDeletion(scope, of: occurrence.event, sendUpdates: sendUpdates))
  }

  /// Stores the edit of a plan, for ``send()``.
  ///
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  public func save(_ plan: SeriesPlan) async throws {
    if plan.changes.isEmpty { return }
    _ = try await store.add(PendingEdit(plan, created: clock.now), for: account)
  }

  /// Makes the changes of a plan, after the pending edits.
  ///
  /// If the server cannot be reached, or the task is cancelled, the edit stays pending for ``send()``. An edit refused
  /// by the server is not kept.
  ///
  /// - Throws: ``CalendarEditError`` with code ``CalendarEditError/Code/conflict``, `CalendarError`, the transport's
  ///   errors, ``CalendarStoreError``, or `CancellationError`.
  public func perform(_ plan: SeriesPlan) async throws {
    if plan.changes.isEmpty { return }
    let edit = try await store.add(PendingEdit(plan, created: clock.now), for: account)
    try await make(try await store.pendingEdits(for: account).filter { $0.number < edit.number })
    try await run.make(edit, isKept: false)
  }

  private func series(of occurrence: EventOccurrence) async throws -> StoredSeries {
    let event = occurrence.event
    guard let id = event.recurringEventID ?? (event.recurrence == nil ? nil : event.id) else {
      throw CalendarEditError.notRecurring
    }
    guard let series = try await store.series(id, in: occurrence.calendarID, for: account) else {
      throw CalendarEditError.notStored
    }
    return series
  }
}

// Pending edits.
extension CalendarEditor {
  /// Makes the remaining changes of all pending edits of the account, in their order.
  ///
  /// - Returns: The remaining edits: in conflict, or refused with the reason.
  /// - Throws: The transport's errors, `CalendarError` if the server cannot be used now, ``CalendarStoreError``,
  ///   `CancellationError`, or any error of the closure that resolves conflicts. The edits stay pending.
  public func send() async throws -> [PendingEdit] {
    try await make(try await store.pendingEdits(for: account))
    return try await store.pendingEdits(for: account)
  }

  /// Makes the remaining changes of edits, and keeps the refused ones.
  private func make(_ edits: [PendingEdit]) async throws {
    for edit in edits {
      if case .refused = edit.state { continue }
      do {
        try await run.make(edit, isKept: true)
      } catch {
        guard case .refused = try await store.pendingEdit(edit.id, for: account)?.state else { throw error }
      }
    }
  }

  /// Ends the conflict of an edit.
  ///
  /// ``send()`` then makes the change.
  ///
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  @concurrent public func resolve(_ edit: PendingEdit, by resolution: ConflictResolution) async throws {
    if case .report = resolution { return }
    while let stored = try await store.pendingEdit(edit.id, for: account), case .conflict(let conflict) = stored.state {
      let theirs = conflict.theirs ?? Event { $0.status = .cancelled }
      var next: PendingEdit?
      if let change = stored.changes[stored.completed].resolved(by: resolution, with: theirs) {
        next = stored
        next?.changes[stored.completed] = change
        next?.state = .sending
      }
      if try await store.replace(stored, with: next, for: account) { return }
    }
  }

  /// Removes a pending edit without making its remaining changes.
  ///
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  public func discard(_ edit: PendingEdit) async throws {
    while let stored = try await store.pendingEdit(edit.id, for: account) {
      if try await store.replace(stored, with: nil, for: account) { return }
    }
  }
}
