// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation

/// A fact about Google's Calendar API that the sandbox and the client rely on.
struct Fact: Sendable {
  /// The fact, in a sentence.
  let statement: String
  /// The observation that agrees with the fact.
  let expected: String
  /// Observes the server: a code, a status or a value.
  let observe: @Sendable (Laboratory) async throws -> String
}

/// A calendar made for the observations, and its client.
struct Laboratory: Sendable {
  let client: CalendarClient
  let calendarID: String
  let clock: any WallClock

  /// Returns a new event of an hour, tomorrow at ten.
  func makeEvent(_ title: String, recurrence: [String]? = nil) -> Event {
    Event {
      $0.summary = title
      $0.period = .today(at: 34, for: .seconds(3600), in: .gmt, clock: clock)
      $0.recurrence = recurrence
    }
  }

  /// Inserts a new event.
  func insert(_ title: String, recurrence: [String]? = nil) async throws -> (event: Event, id: String) {
    let event = try await client.events.insert(makeEvent(title, recurrence: recurrence), in: calendarID)
    guard let id = event.id else { throw MissingValue("id") }
    return (event, id)
  }

  /// Returns the code and status with which the server refuses a call, or "accepted".
  func refusal(of call: () async throws -> Void) async throws -> String {
    do {
      try await call()
      return "accepted"
    } catch let error as CalendarError {
      return "\(error.status.map(String.init) ?? "-") \(error.details.first?.reason ?? error.code.rawValue)"
    }
  }
}

/// A field that a response lacks.
struct MissingValue: Error, CustomStringConvertible {
  let name: String

  init(_ name: String) { self.name = name }

  var description: String { "The response has no \(name)." }
}

extension Optional {
  /// The value.
  ///
  /// - Throws: ``MissingValue`` if there is none.
  func required(_ name: String) throws -> Wrapped {
    guard let self else { throw MissingValue(name) }
    return self
  }
}
