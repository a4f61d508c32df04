// SPDX-License-Identifier: Apache-2.0

extension EventsResource {
  /// Reads an event, changes it, and writes the changed fields if the event is still unchanged on the server.
  ///
  /// If another client has changed the event meanwhile, the method reads it and applies the change again. The method never
  /// applies the change twice. If the response to a write was lost, it reads the event and returns it if it matches the change.
  /// If the event does not match, the method throws an error with code ``CalendarError/Code/outcomeUnknown``.
  ///
  /// Changes by other clients are never lost, including those of arrays such as ``Event/attendees``: the method writes
  /// only the differences, and only to the version it read.
  ///
  /// ```swift
  /// try await client.events.modify(id, in: "primary") { event in
  ///   event.addAttendee(EventAttendee(email: "bo@example.org"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - eventID: The identifier of the event.
  ///   - calendarID: The identifier of the calendar, or `primary` for the primary calendar of the user.
  ///   - query: The optional parameters of the change.
  ///   - attempts: The maximum number of attempts, at least 1.
  ///   - change: Changes the event. It is called once for each attempt.
  /// - Returns: The event after the change, or the event as read if nothing differs.
  /// - Throws: Any error of `change`, and the errors of ``CalendarClient/send(_:)``, including ``CalendarError`` with
  ///   these codes:
  ///   - ``CalendarError/Code/conditionNotMet``: Other clients changed the event until no attempts were left.
  ///   - ``CalendarError/Code/outcomeUnknown``: The change may have been made.
  ///   - ``CalendarError/Code/invalidRequest``: The server omitted attendees, and the change would remove them.
  @discardableResult
  public func modify(
    _ eventID: String, in calendarID: String, _ query: UpdateQuery = .init(), attempts: Int = 5,
    _ change: (inout Event) throws -> Void
  ) async throws -> Event {
    var attempt = 1
    while true {
      let event = try await get(eventID, in: calendarID)
      var changed = event
      try change(&changed)
      do {
        return try await write(changed, over: event, eventID, in: calendarID, query)
      } catch let error as CalendarError where error.remedy == .refetch && attempt < attempts {
        attempt += 1
      }
    }
  }

  /// Writes the fields in which an event differs from the version that was read.
  @concurrent private func write(
    _ changed: Event, over event: Event, _ eventID: String, in calendarID: String, _ query: UpdateQuery
  ) async throws -> Event {
    let patch = Event.Patch(from: event, to: changed)
    if patch.isEmpty { return event }
    if event.attendeesOmitted == true, patch.changes["attendees"] != nil {
      throw CalendarError(
        .invalidRequest,
        "The server omitted some attendees, and writing the list would remove them. Nothing was written. Change other fields only."
      )
    }
    var request = Self.patch(patch, for: eventID, in: calendarID, query)
    request.ifMatch = event.etag
    return try await client.send(request)
  }
}
