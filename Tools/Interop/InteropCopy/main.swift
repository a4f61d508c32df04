// SPDX-License-Identifier: Apache-2.0

// Synchronizes a copy of a user's calendars, and prints its events: a line of JSON for each, with the calendar.
//
// usage: InteropCopy URL FILE [CRASHES], with an access token in standard input. CRASHES is the number of transactions after which the
// program ends itself with SIGKILL.
import CalendarAPI
import CalendarSync
import CalendarSyncSQLite
import Foundation
import HTTPTransport
import HTTPTransportCurl
import Synchronization

/// A transport that sends an access token.
struct AuthorizedTransport: Transport {
  let token: String

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.fields["Authorization"] = "Bearer \(token)"
    return try await curl.send(request)
  }

  private let curl = CurlTransport()

  init(token: String) { self.token = token }
}

/// A store whose process is killed after some transactions.
final class KillingStore: CalendarStore {
  private let base: SQLiteCalendarStore
  private let remaining: Atomic<Int>

  init(_ base: SQLiteCalendarStore, after count: Int) {
    self.base = base
    remaining = Atomic(count)
  }

  func apply(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    let changes = try await base.apply(transaction)
    if remaining.subtract(1, ordering: .relaxed).newValue == 0 { kill(getpid(), SIGKILL) }
    return changes
  }

  func collections(of account: String) async throws -> [SyncCollection] { try await base.collections(of: account) }

  func state(of collection: SyncCollection, for account: String) async throws -> SyncState? {
    try await base.state(of: collection, for: account)
  }

  func resource(_ id: String, in collection: SyncCollection, for account: String) async throws -> SyncResource? {
    try await base.resource(id, in: collection, for: account)
  }

  func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource] {
    try await base.resources(in: collection, for: account, after: id, limit: limit)
  }

  func events(
    matching query: EventQuery, of account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    try await base.events(matching: query, of: account, after: cursor, limit: limit)
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let url = URL(string: arguments[1]), let token = readLine() else { exit(2) }
let file = SQLiteCalendarStore(file: URL(filePath: arguments[2]))
let store = KillingStore(file, after: arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0)
let client = CalendarClient(transport: AuthorizedTransport(token: token), baseURL: url)
var options = CalendarSynchronizer.Options()
options.pageSize = 3
do {
  let summary = try await CalendarSynchronizer(client: client, store: store, account: "me", options: options)
    .synchronize()
  for failure in summary.failures { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
for try await found in file.events(matching: EventQuery(includesCancelled: true), of: "me") {
  let line = try JSONSerialization.data(withJSONObject: [
    "calendar": found.calendarID, "event": try JSONSerialization.jsonObject(with: Data(found.event.json())),
  ])
  FileHandle.standardOutput.write(line + Data("\n".utf8))
}
