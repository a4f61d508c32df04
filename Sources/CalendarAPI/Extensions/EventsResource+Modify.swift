// SPDX-License-Identifier: Apache-2.0

extension EventsResource {
  /// Reads an event, changes it, and writes the fields that are different, on the condition that the event is still the
  /// one that was read.
  ///
  /// If it was changed meanwhile, it is read and changed again, but never on top of the change itself: when the response to
  /// a write was lost and the event has been changed since, the event that has all fields as they were written is
  /// returned, and any other one ends the call with code ``CalendarError/Code/outcomeUnknown``.
  ///
  /// What others have changed is never lost: only differences are written, and arrays such as ``Event/attendees`` only as
  /// the event that was read has them.
  ///
  /// ```swift
  /// try await client.events.modify(id, in: "primary") { event in
  ///   event.addAttendee(EventAttendee(email: "bo@example.org"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - eventID: The identifier of the event.
  ///   - calendarID: The identifier of the calendar; `primary` for the primary calendar of the user.
  ///   - query: The optional parameters of the change.
  ///   - attempts: How often the change is attempted; at least 1.
  ///   - change: Changes the event. It is called once an attempt.
  /// - Returns: The event after the change; the one that was read if nothing is different.
  /// - Throws: ``CalendarError``, with code ``CalendarError/Code/conditionNotMet`` if others change the event all the time,
  ///   and ``CalendarError/Code/outcomeUnknown`` if the change may have been made; whatever `change` throws.
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
      let patch = Event.Patch(from: event, to: changed)
      if patch.isEmpty { return event }
      if event.attendeesOmitted == true, patch.changes["attendees"] != nil {
        throw CalendarError(
          .invalidRequest, "The server left out attendees, and changing the others would remove them.")
      }
      var request = Self.patch(patch, for: eventID, in: calendarID, query)
      request.ifMatch = event.etag
      do {
        return try await client.send(request)
      } catch let error as CalendarError where error.remedy == .refetch && attempt < attempts {
        attempt += 1
      }
    }
  }
}
