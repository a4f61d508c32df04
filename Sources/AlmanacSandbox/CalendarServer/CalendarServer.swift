// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

/// The Calendar API: the calendars, their journal on the disk, and the notifications of their changes.
///
/// A request goes one way: it is routed to a method, authorized, made a ``CalendarCall``, carried out by the store under its lock, and, if
/// it changed anything, on the disk before its response is sent. The journal's order and the notifications' is that of the changes.
final class CalendarServer: Sendable {
  let configuration: Sandbox.Configuration
  let clock: any WallClock
  let log: RequestLog
  /// Judges access tokens.
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

  /// Makes every sync token that has been issued expire now.
  func expireSyncTokens() { store.withLock { $0.syncTokens.generation += 1 } }
}

/// The calendars, which one call at a time reads or changes.
final class CalendarStoreLock: Sendable {
  private let store: Mutex<CalendarStore>

  init(_ store: CalendarStore) { self.store = Mutex(store) }

  func withLock<Result: Sendable>(_ body: (inout sending CalendarStore) -> sending Result) -> sending Result {
    store.withLock(body)
  }
}

/// What a call came to.
struct CalendarReply {
  let response: HTTPResponse
  /// Whether it changed what has to be on the disk before the response is sent.
  let isChange: Bool

  init(_ response: HTTPResponse, isChange: Bool = false) {
    self.response = response
    self.isChange = isChange
  }
}
