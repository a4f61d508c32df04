// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Timekeeping

/// The synchronization of one collection, page by page.
struct CollectionSync<Page: CalendarPage>: Sendable {
  let run: SyncRun
  let collection: SyncCollection
  /// The parameters of the requests, without tokens and the size of a page.
  let query: String
  /// Returns the request of the first page, of all resources or of the changes since a sync token.
  let request: @Sendable (_ syncToken: String?) -> CalendarRequest<Page>
  /// Returns the step for storing an element of a page.
  let step: @Sendable (Page.Element) throws(CalendarStoreError) -> SyncTransaction.Step

  /// Brings the collection up to date.
  ///
  /// A full pass is followed by an incremental one: a change during the full pass may be on none of its pages.
  func synchronize(reporting report: (SyncProgress) -> Void) async throws {
    var position = try await Position(self)
    var recovery = SyncRecovery()
    var pages = 0
    while true {
      let isFull = position.next.isFull
      do {
        try await read(&position) { isLast, changes in
          pages += 1
          report(
            SyncProgress(
              collection: collection, isFull: isFull, pages: pages, isFinished: isLast && !isFull, changes: changes))
        }
        // A server that cannot report changes sends no sync token. The next call then reads everything again.
        if !isFull || position.next.isFull { return }
      } catch let error as CalendarStoreError where error.code == .superseded {
        try recovery.noteSuperseded(error)
        position = try await Position(self)
      } catch let error as CalendarError where error.remedy == .synchronizeFully {
        try recovery.noteRejectedToken(error)
        position.next = position.next.restarted(query: query)
      } catch let error as CalendarError where position.next.pageToken != nil && error.isOfPageToken {
        try recovery.noteStalePage(error)
        if isFull { position.next = position.next.restarted(query: query) } else { position.next.pageToken = nil }
      }
    }
  }

  /// Reads the pages from a position, and stores each with its token.
  private func read(
    _ position: inout Position, then done: (_ isLast: Bool, [SyncChange]) -> Void
  ) async throws {
    var first = request(position.next.syncToken)
    first.pageToken = position.next.pageToken
    for try await page in run.client.pages(of: first) {
      let isLast = page.nextPageToken == nil
      var state = position.next
      state.pageToken = page.nextPageToken
      if isLast {
        state.syncToken = page.nextSyncToken ?? state.syncToken
        state.completed = run.clock.now
        // The next pass will be a full one.
        if state.syncToken == nil { state.fullPass &+= 1 }
      }
      let steps = try page.items.map { element throws(CalendarStoreError) in try step(element) }
      let changes = try await run.store.apply(
        SyncTransaction(
          account: run.account, collection: collection, expected: position.stored, state: state, steps: steps,
          removesUnseen: isLast && position.next.isFull))
      position = Position(stored: state, next: state)
      done(isLast, changes)
    }
  }

  /// The state in the store, and the one from which the next page is requested.
  struct Position {
    var stored: SyncState?
    var next: SyncState

    init(stored: SyncState?, next: SyncState) { (self.stored, self.next) = (stored, next) }

    init(_ sync: CollectionSync) async throws {
      stored = try await sync.run.store.state(of: sync.collection, for: sync.run.account)
      next = stored ?? SyncState(query: sync.query)
      // Tokens are valid only for the parameters with which they were issued.
      if next.query != sync.query { next = next.restarted(query: sync.query) }
    }
  }
}

/// The limits of a synchronization's repetitions.
private struct SyncRecovery {
  private var supersessions = 0
  private var hasRestarted = false
  private var hasRepeatedPage = false

  /// Notes that another synchronizer has stored a page, so the collection makes progress.
  mutating func noteSuperseded(_ error: CalendarStoreError) throws {
    try Task.checkCancellation()
    supersessions += 1
    guard supersessions < 1000 else { throw error }
  }

  mutating func noteRejectedToken(_ error: CalendarError) throws {
    guard !hasRestarted else { throw error }
    hasRestarted = true
  }

  mutating func noteStalePage(_ error: CalendarError) throws {
    guard !hasRepeatedPage else { throw error }
    hasRepeatedPage = true
  }
}

extension CalendarError {
  /// Whether the server rejects the page token.
  ///
  /// Not measured: the error of Google's servers for an expired page token.
  fileprivate var isOfPageToken: Bool {
    location == "pageToken" || (status == 400 && remedy == .changeRequest) || status == 410
  }
}
