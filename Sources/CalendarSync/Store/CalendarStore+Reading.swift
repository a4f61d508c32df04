// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

extension CalendarStore {
  /// Returns the stored entries of the calendar list.
  public func calendars(for account: String) -> StoredResources<CalendarListEntry> {
    StoredResources(store: self, collection: .calendarList, account: account) {
      if case .calendar(let entry) = $0 { entry } else { nil }
    }
  }

  /// Returns the stored events of a calendar: single events, recurring events, and changed and cancelled instances.
  ///
  /// They are as the server returned them, without pending edits.
  ///
  /// - Parameters:
  ///   - calendarID: The identifier of the calendar in the calendar list, not `primary`.
  ///   - account: The account.
  public func events(in calendarID: String, for account: String) -> StoredResources<Event> {
    StoredResources(store: self, collection: .events(calendarID: calendarID), account: account) {
      if case .event(let event) = $0 { event } else { nil }
    }
  }

  /// Returns the events matching a query, with pending edits applied, sorted by their start.
  ///
  /// - Parameters:
  ///   - query: The conditions.
  ///   - account: The account.
  ///   - cursor: The ``StoredEvent/cursor`` of the event after which to start, or `nil` for the first event.
  public func events(matching query: EventQuery, for account: String, after cursor: EventCursor? = nil) -> StoredEvents
  {
    StoredEvents(store: self, query: query, account: account, cursor: cursor)
  }

  /// Returns the stored access rules of a calendar.
  ///
  /// - Parameters:
  ///   - calendarID: The identifier of the calendar in the calendar list, not `primary`.
  ///   - account: The account.
  public func accessRules(of calendarID: String, for account: String) -> StoredResources<AclRule> {
    StoredResources(store: self, collection: .accessRules(calendarID: calendarID), account: account) {
      if case .accessRule(let rule) = $0 { rule } else { nil }
    }
  }

  /// Returns the stored settings of the user.
  public func settings(for account: String) -> StoredResources<Setting> {
    StoredResources(store: self, collection: .settings, account: account) {
      if case .setting(let setting) = $0 { setting } else { nil }
    }
  }

  /// Removes everything stored for an account with its pending edits, for example when its user signs out.
  ///
  /// End a running synchronization first: it would store the account again.
  ///
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  public func removeAll(for account: String) async throws {
    for collection in try await collections(for: account) { try await remove(collection, for: account) }
  }

  /// Removes a collection with its resources.
  ///
  /// - Returns: The removed resources.
  @discardableResult
  func remove(_ collection: SyncCollection, for account: String) async throws -> [SyncChange] {
    while let state = try await state(of: collection, for: account) {
      do {
        return try await apply(
          SyncTransaction(account: account, collection: collection, expected: state, state: nil))
      } catch let error as CalendarStoreError where error.code == .superseded {
        // Another process has changed it in the meantime.
        try Task.checkCancellation()
      }
    }
    return []
  }
}
