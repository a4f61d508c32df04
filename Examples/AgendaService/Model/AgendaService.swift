// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Timekeeping
import TokenStore

/// The upcoming events of a user, for a widget, a notification or a screen.
///
/// It never shows a browser. If a sign-in is needed, it throws ``Failure/signInRequired``.
struct AgendaService: Sendable {
  /// An event of the agenda.
  struct Entry: Sendable, Equatable {
    let start: Timestamp
    let isAllDay: Bool
    let title: String
    let calendar: String
  }

  /// A reason why the agenda is unavailable, grouped by the remedy.
  enum Failure: Error, Equatable {
    /// Show a sign-in button.
    case signInRequired
    /// Show a button to grant the missing access.
    case accessMissing
    /// Keep the current events, and try again when the network is available.
    case offline
    /// Keep the current events, and try again later.
    case busy
    /// Show the message, and report it.
    case unexpected(String)
  }

  let google: GoogleAccount
  let clock: any WallClock
  /// The time zone in which the day of an all-day event starts.
  let timeZone: TimeZone

  init(google: GoogleAccount, clock: some WallClock = SystemClock(), timeZone: TimeZone = .current) {
    self.google = google
    self.clock = clock
    self.timeZone = timeZone
  }

  /// Returns the next events of all calendars, in chronological order.
  ///
  /// - Throws: ``Failure``, or `CancellationError`.
  func next(_ count: Int) async throws -> [Entry] {
    do {
      return Array(try await entries(count).sorted { ($0.start, $0.title) < ($1.start, $1.title) }.prefix(count))
    } catch {
      throw Self.failure(error)
    }
  }

  /// Reads several calendars at a time, with at most the requested number of events from each.
  private func entries(_ count: Int) async throws -> [Entry] {
    var calendars: [CalendarListEntry] = []
    for try await calendar in google.calendar.calendarList.all() { calendars.append(calendar) }
    return try await withThrowingTaskGroup(of: [Entry].self) { group in
      var waiting = calendars[...]
      func addNext() {
        guard let calendar = waiting.popFirst() else { return }
        group.addTask { try await entries(count, of: calendar) }
      }
      for _ in 0..<4 { addNext() }
      var all: [Entry] = []
      while let some = try await group.next() {
        all += some
        addNext()
      }
      return all
    }
  }

  private func entries(_ count: Int, of calendar: CalendarListEntry) async throws -> [Entry] {
    guard let id = calendar.id else { return [] }
    let query = EventsResource.ListQuery(timeMin: clock.now, singleEvents: true, orderBy: .startTime, maxResults: count)
    var entries: [Entry] = []
    for try await event in google.calendar.events.all(in: id, query).prefix(count) {
      guard let start = event.start?.instant(in: timeZone) else { continue }
      entries.append(
        Entry(
          start: start, isAllDay: event.start?.date != nil, title: event.summary ?? "(no title)",
          calendar: calendar.title))
    }
    return entries
  }
}

extension AgendaService {
  /// Returns the failure for an error.
  private static func failure(_ error: any Error) -> any Error {
    switch error {
    case is CancellationError: error
    case let error as OAuthError: failure(error)
    case let error as CalendarError: failure(error)
    case let error as TransportError: failure(error)
    case let error as TokenStorageError: Failure.unexpected(error.message)
    default: Failure.unexpected("Something unexpected went wrong.")
    }
  }

  private static func failure(_ error: OAuthError) -> Failure {
    switch error.code {
    case .signInRequired: .signInRequired
    case .serverUnavailable: .busy
    default: .unexpected(error.message)
    }
  }

  private static func failure(_ error: CalendarError) -> Failure {
    switch error.remedy {
    case .signIn: .signInRequired
    case .obtainAccess: .accessMissing
    case .backOff, .pause: .busy
    default: .unexpected(error.message)
    }
  }

  private static func failure(_ error: TransportError) -> Failure {
    switch error.code {
    case .unreachable, .connectionLost, .timedOut, .truncated: .offline
    default: .unexpected(error.message)
    }
  }
}
