// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The methods of [Events](https://developers.google.com/workspace/calendar/api/v3/reference/events).
public struct EventsResource: Sendable {
  let client: CalendarClient

  /// Returns one page of the events of a calendar.
  ///
  /// - Parameter calendarId: The id of the calendar; `primary` is the user's own.
  public func list(calendarId: String, _ query: Events.Query = .init()) async throws -> Events {
    try await client.send(Self.listCall(calendarId, query))
  }

  /// Returns all events of a calendar page by page, for callers that need a page's tokens.
  ///
  /// Each page is asked for when it is needed, and every iteration starts anew. It ends with ``CalendarError`` and code
  /// ``CalendarError/Code/repeatedPage`` when the server goes round in circles.
  ///
  /// - Parameter calendarId: The id of the calendar; `primary` is the user's own.
  public func pages(
    in calendarId: String, _ query: Events.Query = .init()
  ) -> some AsyncSequence<Events, any Error> & Sendable {
    PageSequence(client: client, query: query) { Self.listCall(calendarId, $0) }
  }

  /// Returns all events of a calendar.
  ///
  /// See ``pages(in:_:)``.
  ///
  /// - Parameter calendarId: The id of the calendar; `primary` is the user's own.
  public func events(
    in calendarId: String, _ query: Events.Query = .init()
  ) -> some AsyncSequence<Event, any Error> & Sendable {
    ItemSequence(pages: PageSequence(client: client, query: query) { Self.listCall(calendarId, $0) })
  }

  private static func listCall(_ calendarId: String, _ query: Events.Query) -> Call<Events> {
    Call(.get, "calendars/\(calendarId)/events", query)
  }
}

extension CalendarClient {
  /// The events of a calendar.
  public var events: EventsResource { EventsResource(client: self) }
}
