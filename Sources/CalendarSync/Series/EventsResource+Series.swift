// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

// Recurring events without a store.
extension EventsResource {
  /// Returns a recurring event with its changed and cancelled instances, from the server.
  ///
  /// - Parameters:
  ///   - eventID: The identifier of the recurring event, or of one of its instances.
  ///   - calendarID: The identifier of the calendar, or `primary` for the primary calendar of the user.
  /// - Throws: ``CalendarEditError`` with code ``CalendarEditError/Code/notRecurring``, `CalendarError`, the
  ///   transport's errors, or `CancellationError`.
  public func series(_ eventID: String, in calendarID: String) async throws -> StoredSeries {
    try await series(of: try await get(eventID, in: calendarID), in: calendarID)
  }

  /// Ends a recurring event before one of its instances, deleting this and all following instances.
  ///
  /// Changed instances are deleted too. For the first instance, the recurring event is deleted.
  ///
  /// ```swift
  /// try await client.events.endSeries(before: id, in: "primary")
  /// ```
  ///
  /// - Parameters:
  ///   - instanceID: The identifier of the first instance to delete.
  ///   - calendarID: The identifier of the calendar, or `primary` for the primary calendar of the user.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  /// - Throws: ``CalendarEditError``. See ``perform(_:)``.
  @concurrent public func endSeries(
    before instanceID: String, in calendarID: String, sendUpdates: SendUpdates? = nil
  ) async throws {
    let instance = try await get(instanceID, in: calendarID)
    let series = try await series(of: instance, in: calendarID)
    try await perform(try series.planDeletion(.thisAndFollowing, of: instance, sendUpdates: sendUpdates))
  }

  /// Changes an instance of a recurring event and all following ones.
  ///
  /// The event ends before the instance, and a new event with the change begins with it. For the first instance, the recurring event
  /// is changed. See ``StoredSeries/planEdit(_:of:keepsExceptions:sendUpdates:_:)``.
  ///
  /// ```swift
  /// let new = try await client.events.split(at: id, in: "primary") { $0.location = "Room 2" }
  /// ```
  ///
  /// - Parameters:
  ///   - instanceID: The identifier of the first instance to change.
  ///   - calendarID: The identifier of the calendar, or `primary` for the primary calendar of the user.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  ///   - change: Changes the instance.
  /// - Returns: The recurring event that begins with the instance.
  /// - Throws: ``CalendarEditError``, or any error of `change`. See ``perform(_:)``.
  @discardableResult
  public func split(
    at instanceID: String, in calendarID: String, sendUpdates: SendUpdates? = nil,
    _ change: (inout Event) throws -> Void
  ) async throws -> Event {
    let instance = try await get(instanceID, in: calendarID)
    let series = try await series(of: instance, in: calendarID)
    var changed = instance
    try change(&changed)
    let plan = try await series.plan(.thisAndFollowing, of: instance, changed: changed, sendUpdates: sendUpdates)
    try await perform(plan)
    return try await get(plan.insertedID ?? series.event.id ?? instanceID, in: calendarID)
  }

  /// Makes the changes of a plan.
  ///
  /// A plan can be performed again after an interruption: completed changes are not made twice.
  ///
  /// - Throws: ``CalendarEditError`` with code ``CalendarEditError/Code/conflict`` if another client has changed the
  ///   event, and ``CalendarEditError/Code/interrupted``, with the plan, if only some of its changes may have been
  ///   made. Also `CalendarError`, the transport's errors, and `CancellationError`.
  public func perform(_ plan: SeriesPlan) async throws {
    let store = InMemoryCalendarStore()
    do {
      try await CalendarEditor(client: client, store: store, account: "").perform(plan)
    } catch {
      if error is CancellationError || plan.changes.count < 2 { throw error }
      // An edit that is refused or undone is no longer in the store.
      guard try await store.pendingEdits(for: "").isEmpty else { throw CalendarEditError.interrupted(plan, error) }
      throw error
    }
  }

  private func series(of event: Event, in calendarID: String) async throws -> StoredSeries {
    guard let id = event.recurringEventID ?? (event.recurrence?.isEmpty == false ? event.id : nil) else {
      throw CalendarEditError.notRecurring
    }
    let master = event.id == id ? event : try await get(id, in: calendarID)
    guard let uid = master.iCalUID else { throw CalendarEditError.unreadableRecurrence }
    var exceptions: [Event] = []
    for try await other in all(in: calendarID, .init(iCalUID: uid, showDeleted: true))
    where other.recurringEventID == id { exceptions.append(other) }
    return StoredSeries(master, exceptions: exceptions, in: calendarID)
  }
}

extension SeriesPlan {
  /// The identifier of the new recurring event of a split.
  fileprivate var insertedID: String? {
    changes.lazy.compactMap { change in
      if case .insert = change.action { change.eventID } else { nil }
    }.first
  }
}
