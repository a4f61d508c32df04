// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

/// The Calendar API: the calendars, their journal on disk, and the notifications of changes.
///
/// The server routes a request to a method, authorizes it, and creates a ``CalendarCall``, which the store performs under its
/// lock. A response is sent after its changes are on disk. The journal and the notifications keep the order of the changes.
final class CalendarServer: Sendable {
  let configuration: Sandbox.Configuration
  let clock: any WallClock
  let log: RequestLog
  /// The server that checks access tokens.
  let authorization: AuthorizationServer
  let store: CalendarStoreLock
  let journal: CalendarJournal?
  let courier: NotificationCourier?
  let faults = Mutex(FaultPlan())
  let callCounter = Mutex(CallCounter())

  init(
    configuration: Sandbox.Configuration, clock: any WallClock, log: RequestLog, authorization: AuthorizationServer,
    store: CalendarStoreLock, journal: CalendarJournal?
  ) {
    self.configuration = configuration
    self.clock = clock
    self.log = log
    self.authorization = authorization
    self.store = store
    self.journal = journal
    courier = configuration.notificationTransport.map { NotificationCourier(transport: $0, clock: clock) }
  }

  /// Invalidates every sync token issued so far.
  func expireSyncTokens() { store.withLock { $0.syncTokens.generation += 1 } }
}

/// The calendars, with exclusive access for one call at a time.
final class CalendarStoreLock: Sendable {
  private let store: Mutex<CalendarStore>

  init(_ store: CalendarStore) { self.store = Mutex(store) }

  func withLock<Result: Sendable>(_ body: (inout sending CalendarStore) -> sending Result) -> sending Result {
    store.withLock(body)
  }
}

/// The response to a call.
struct CalendarReply {
  let response: HTTPResponse
  /// Whether the call's changes must be on disk before the response is sent.
  let isChange: Bool

  init(_ response: HTTPResponse, isChange: Bool = false) {
    self.response = response
    self.isChange = isChange
  }
}
