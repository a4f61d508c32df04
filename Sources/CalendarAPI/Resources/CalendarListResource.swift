// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The methods of [CalendarList](https://developers.google.com/workspace/calendar/api/v3/reference/calendarList): the
/// calendars on the signed-in user's list.
public struct CalendarListResource: Sendable {
  let client: CalendarClient

  /// Returns one page of the list.
  public func list(_ query: CalendarList.Query = .init()) async throws -> CalendarList {
    try await client.send(Self.listCall(query))
  }

  /// Returns the whole list page by page, for callers that need a page's tokens.
  ///
  /// Each page is asked for when it is needed, and every iteration starts anew. It ends with ``CalendarError`` and code
  /// ``CalendarError/Code/repeatedPage`` when the server goes round in circles.
  public func pages(_ query: CalendarList.Query = .init()) -> some AsyncSequence<CalendarList, any Error> & Sendable {
    PageSequence(client: client, query: query, call: Self.listCall)
  }

  /// Returns the entries of the whole list.
  ///
  /// See ``pages(_:)``.
  public func entries(
    _ query: CalendarList.Query = .init()
  ) -> some AsyncSequence<CalendarListEntry, any Error> & Sendable {
    ItemSequence(pages: PageSequence(client: client, query: query, call: Self.listCall))
  }

  /// Returns one entry of the list.
  ///
  /// - Parameter calendarId: The id of the calendar; `primary` is the user's own.
  public func get(calendarId: String) async throws -> CalendarListEntry {
    try await client.send(Call(.get, "users/me/calendarList/\(calendarId)"))
  }

  @Sendable private static func listCall(_ query: CalendarList.Query) -> Call<CalendarList> {
    Call(.get, "users/me/calendarList", query)
  }
}

extension CalendarClient {
  /// The calendars on the signed-in user's list.
  public var calendarList: CalendarListResource { CalendarListResource(client: self) }
}
