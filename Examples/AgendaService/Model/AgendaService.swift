// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Timekeeping
import TokenStore

/// The coming events of a user, for a widget, a notification or a screen.
///
/// It never shows a browser: where a sign-in is needed, it says so.
struct AgendaService: Sendable {
  /// An event as the agenda shows it.
  struct Entry: Sendable, Equatable {
    let start: Timestamp
    let isAllDay: Bool
    let title: String
    let calendar: String
  }

  /// Why there is no agenda, by what the caller does about it.
  enum Failure: Error, Equatable {
    /// Show a button to sign in.
    case signInRequired
    /// Show a button to grant the access that is missing.
    case accessMissing
    /// Keep what is shown, and try again when there is a network.
    case offline
    /// Keep what is shown, and try again later.
    case busy
    /// Show the message, and report it.
    case unexpected(String)
  }

  let google: GoogleAccount
  let clock: any WallClock
  /// The time zone that an all-day event's day begins in.
  let timeZone: TimeZone

  init(google: GoogleAccount, clock: some WallClock = SystemClock(), timeZone: TimeZone = .current) {
    self.google = google
    self.clock = clock
    self.timeZone = timeZone
  }

  /// Returns the next events of all calendars, the earliest first.
  ///
  /// - Throws: ``Failure``; `CancellationError`.
  func next(_ count: Int) async throws -> [Entry] {
    do {
      return Array(try await entries(count).sorted { ($0.start, $0.title) < ($1.start, $1.title) }.prefix(count))
    } catch {
      throw Self.failure(error)
    }
  }

  /// Reads some calendars at a time, and of each no more than can be among the first.
  private func entries(_ count: Int) async throws -> [Entry] {
    var calendars: [CalendarListEntry] = []
    for try await calendar in google.calendar.calendarList.entries() { calendars.append(calendar) }
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
  /// What the caller can do about an error.
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
