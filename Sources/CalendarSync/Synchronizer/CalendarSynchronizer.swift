// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
import Support
import Synchronization
public import Timekeeping

/// A synchronizer that keeps a local copy of a user's calendars, which survives interruptions at any instant.
///
/// ```swift
/// let synchronizer = CalendarSynchronizer(client: client, store: store, account: "me")
/// let summary = try await synchronizer.synchronize()
/// print(summary.inserted, summary.updated, summary.removed, summary.failures.count)
/// ```
///
/// The first call reads all calendars, events, access rules and settings, and later calls the changes since then
/// ([Synchronize resources efficiently](https://developers.google.com/workspace/calendar/api/guides/sync)).
///
/// - **Every page is stored in one transaction with its token.** After an interruption, the next call continues at the next page.
/// - **A rejected sync token** starts a full pass, at most once per collection and call. The copy stays readable
///   meanwhile. At the end of a full pass, the resources no longer listed by the server are removed: it reports no
///   deletions for them.
/// - **Cancelled instances** of recurring events are kept, and a deleted recurring event is removed with its instances.
/// - **Access rules** are read only for calendars owned by the user, as Google requires.
/// - **Several programs** can synchronize one account into one store: each continues at the page reached by the others.
///
/// One object per account is enough. Concurrent calls share one synchronization.
public final class CalendarSynchronizer: Sendable {
  private let run: SyncRun
  private let observers = SyncObservers()
  private let current = Mutex<SharedTask<SyncSummary>?>(nil)

  /// Creates a synchronizer.
  ///
  /// Nothing is read or requested before ``synchronize(reporting:)``.
  ///
  /// - Parameters:
  ///   - client: The client. Its retries and pauses apply to every request.
  ///   - store: The store.
  ///   - account: The name of the account in the store.
  ///   - options: The options.
  ///   - clock: The clock for ``SyncState/completed``.
  public init(
    client: CalendarClient, store: some CalendarStore, account: String, options: Options = Options(),
    clock: some WallClock = SystemClock()
  ) {
    run = SyncRun(client: client, store: store, account: account, options: options, clock: clock)
  }

  /// The changes of resources stored by this object from now on.
  ///
  /// Each access returns a separate stream. Changes are buffered until they are read. The stream ends with the object
  /// or with the task reading it.
  public var changes: AsyncStream<SyncChange> { observers.add() }

  /// Brings the store up to date.
  ///
  /// - Parameter report: Called with the progress, from any task.
  /// - Returns: The number of changes, and the errors of single calendars, in ``SyncSummary/failures``: one calendar's error does not
  ///   end the synchronization of the others.
  /// - Throws: `CalendarError`, for example after the last retry of a request. Also ``CalendarStoreError`` and
  ///   `CancellationError`. The pages stored before the error are kept.
  public func synchronize(
    reporting report: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncSummary {
    let waiter = current.withLock { [run, observers] current in
      SharedTask.join(&current) {
        try await run.synchronize { progress in
          observers.send(progress.changes)
          report(progress)
        }
      }
    }
    return try await waiter.value()
  }
}

extension CalendarSynchronizer {
  /// The options of a ``CalendarSynchronizer``.
  public struct Options: Sendable {
    /// A closure that returns whether the events and access rules of a calendar are stored.
    ///
    /// Those of other calendars are removed from the store. Defaults to all calendars.
    public var includesCalendar: @Sendable (CalendarListEntry) -> Bool = { _ in true }
    /// The types of events to store, or empty for all.
    public var eventTypes: [Event.EventType] = []
    /// The maximum number of attendees of an event to store, or `nil` for all.
    ///
    /// If there are more, only the user is stored.
    public var maximumAttendeeCount: Int?
    /// Whether access rules are stored.
    public var includesAccessRules = true
    /// Whether the user's settings are stored.
    public var includesSettings = true
    /// The maximum number of events on a page, 1 to 2,500.
    ///
    /// A page is one transaction.
    public var pageSize = 1000
    /// The maximum number of concurrently synchronized calendars, at least 1.
    public var maximumConcurrency = 4

    /// Creates the default options.
    public init() {}
  }
}

/// The readers of a synchronizer's changes.
private final class SyncObservers: Sendable {
  private let observers = Mutex<(last: Int, all: [Int: AsyncStream<SyncChange>.Continuation])>((0, [:]))

  func add() -> AsyncStream<SyncChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: SyncChange.self)
    let id = observers.withLock { observers in
      observers.last += 1
      observers.all[observers.last] = continuation
      return observers.last
    }
    continuation.onTermination = { [weak self] _ in self?.observers.withLock { _ = $0.all.removeValue(forKey: id) } }
    return stream
  }

  func send(_ changes: [SyncChange]) {
    guard !changes.isEmpty else { return }
    for observer in observers.withLock({ Array($0.all.values) }) {
      for change in changes { observer.yield(change) }
    }
  }

  deinit { for observer in observers.withLock({ Array($0.all.values) }) { observer.finish() } }
}
