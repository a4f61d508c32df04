// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import PlatformFoundation
import PostgreSQL

extension String {
  var bytes: [UInt8] { Array(utf8) }
}

extension SyncCollection {
  var calendarBytes: [UInt8] { calendarID?.bytes ?? [] }
}

extension SyncState {
  init(stored bytes: [UInt8]?) throws(CalendarStoreError) {
    guard let state = try? JSONDecoder().decode(SyncState.self, from: Data(bytes ?? [])) else { throw .damaged }
    self = state
  }
}

extension SyncResource {
  init(stored bytes: [UInt8]?, in collection: SyncCollection) throws(CalendarStoreError) {
    do { try self.init(json: bytes ?? [], in: collection) } catch { throw .damaged }
  }
}

extension CalendarStoreError {
  static let damaged = CalendarStoreError(
    .damaged,
    "A row of the account's calendars cannot be read. Call removeAll(for:) for the account, then synchronize again.")

  init(_ error: PostgreSQLError) {
    switch error.sqlState {
    case "53100":
      self.init(
        .full,
        "The database's disk is full. What was stored before is kept. Free some space, then synchronize again.")
    case "42P01": self.init(.unavailable, error.message + " Create the tables with migrateSchema().")
    default: self.init(.unavailable, error.message)
    }
  }
}
