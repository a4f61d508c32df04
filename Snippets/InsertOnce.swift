// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
// Insert an event exactly once, even if the response is lost.
//
// It runs unchanged, with the sandbox in this process. The sandbox carries out the insertion and returns an error.
import HTTPTransport

let clock = ManualClock(skipsWaits: true)
let sandbox = Sandbox(clock: clock)
let google = try GoogleAccount(
  clientID: Sandbox.Client.native.id, scopes: [.calendar], storage: InMemoryTokenStorage(),
  userAgent: sandbox.approvingUser,
  options: .init(
    services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
    transport: sandbox.transport(), retryPolicy: .none, clock: clock))
try await google.authorize()
try sandbox.failCalls(
  Sandbox.CallFault(status: 503, reason: "backendError", method: "events.insert", isCarriedOut: true))

let client = google.calendar
let event = try Event {
  $0.summary = "Lunch"
  $0.start = EventDateTime(date: try CivilDate(rfc3339: "2026-12-01"))
  $0.end = EventDateTime(date: try CivilDate(rfc3339: "2026-12-02"))
}
do {
  try await client.events.insert(event, in: "primary")
} catch let error as CalendarError where error.code == .outcomeUnknown {
  guard let outcome = error.unknownOutcome, let lookup = outcome.lookup else { throw error }
  do {
    print("It is there:", try await client.send(lookup)["summary"]?.string ?? "")
  } catch let error as CalendarError where error.code == .notFound {
    var again = event
    again.id = outcome.identifier  // the same event, not a second one
    try await client.events.insert(again, in: "primary")
  }
}
