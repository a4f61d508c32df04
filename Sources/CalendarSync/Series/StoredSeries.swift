// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// The instances of a recurring event affected by an edit.
public enum SeriesScope: String, Sendable, Hashable, CaseIterable {
  /// One instance.
  case this
  /// One instance and all later ones.
  case thisAndFollowing
  /// All instances.
  case all
}

/// A recurring event with its changed and cancelled instances.
///
/// ```swift
/// guard let series = try await store.series(id, in: calendarID, for: "me") else { return }
/// let plan = try series.planEdit(.thisAndFollowing, of: instance) { $0.summary = "Stand-up" }
/// for occurrence in plan.preview(from: start, to: end, zone: zone).after { print(occurrence.start) }
/// try await editor.perform(plan)
/// ```
///
/// The description contains names of fields and never a value.
public struct StoredSeries: Sendable, Hashable {
  /// The identifier of the calendar.
  public let calendarID: String
  /// The recurring event.
  public let event: Event
  /// The changed and cancelled instances.
  public let exceptions: [Event]

  /// Creates a series, for example from a response of the server.
  ///
  /// - Parameters:
  ///   - event: The recurring event, with its identifier and its entity tag.
  ///   - exceptions: The changed and cancelled instances. An edit removes omitted ones.
  ///   - calendarID: The identifier of the calendar.
  public init(_ event: Event, exceptions: [Event], in calendarID: String) {
    self.event = event
    self.exceptions = exceptions
    self.calendarID = calendarID
  }
}

extension StoredSeries {
  /// Returns the plan of an edit.
  ///
  /// - **This instance:** it becomes an exception.
  /// - **This and following instances:** the event ends before this instance, and a new event with an identifier of its own begins with it.
  ///   For the first instance, all are edited.
  /// - **All instances:** the event is changed.
  ///
  /// A change of the instance's start or end moves all instances of the scope by the same difference of local times. It can also move them
  /// to another time zone, or turn them into all-day events or timed ones. A new `recurrence` replaces the rule. Another changed field is
  /// set in every instance of the scope that does not differ from the event in this field.
  ///
  /// - Parameters:
  ///   - scope: The instances to change.
  ///   - instance: An instance of the event, such as an ``EventOccurrence/event``, or the recurring event itself for its first one.
  ///   - keepsExceptions: Whether changed and cancelled instances in the scope stay changed or cancelled, at their new times. Otherwise,
  ///     they become like all others.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  ///   - change: Changes the instance.
  /// - Throws: ``CalendarEditError``, or any error of `change`.
  public func planEdit(
    _ scope: SeriesScope, of instance: Event, keepsExceptions: Bool = true, sendUpdates: SendUpdates? = nil,
    _ change: (inout Event) throws -> Void
  ) throws -> SeriesPlan {
    var changed = instance
    try change(&changed)
    let planner = try SeriesPlanner(
      self, instance, changed: changed, keepsExceptions: keepsExceptions, sendUpdates: sendUpdates)
    return try planner.plan(scope)
  }

  /// Returns the plan of a deletion.
  ///
  /// - Parameters:
  ///   - scope: The instances to delete.
  ///   - instance: An instance of the event, or the recurring event itself for its first one.
  ///   - sendUpdates: The guests who are notified. Defaults to the server's default, none.
  /// - Throws: ``CalendarEditError``.
  public func planDeletion(
    _ scope: SeriesScope, of instance: Event, sendUpdates: SendUpdates? = nil
  ) throws(CalendarEditError) -> SeriesPlan {
    try SeriesPlanner(self, instance, changed: nil, keepsExceptions: true, sendUpdates: sendUpdates).plan(scope)
  }
}

extension StoredSeries {
  /// Returns the plan of an edit.
  @concurrent func plan(
    _ scope: SeriesScope, of instance: Event, changed: Event, keepsExceptions: Bool = true, sendUpdates: SendUpdates?
  ) async throws -> SeriesPlan {
    let planner = try SeriesPlanner(
      self, instance, changed: changed, keepsExceptions: keepsExceptions, sendUpdates: sendUpdates)
    return try planner.plan(scope)
  }

  /// The recurring event and its exceptions.
  var events: [Event] { [event] + exceptions }

  /// Returns the series with another version of an exception, or with a new one.
  func replacing(_ exception: Event) -> StoredSeries {
    let others = exceptions.filter { $0.originalStartTime?.secondsInUTC != exception.originalStartTime?.secondsInUTC }
    return StoredSeries(event, exceptions: others + [exception], in: calendarID)
  }
}

extension StoredSeries: CustomStringConvertible, CustomReflectable {
  /// The number of exceptions, and the names of the event's fields.
  public var description: String { "\(exceptions.count) exceptions of \(event.debugDescription)" }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["series": description]) }
}

extension CalendarStore {
  /// Returns a stored recurring event with its changed and cancelled instances, after the pending edits, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - id: The identifier of the recurring event, which is the `recurringEventID` of an instance.
  ///   - calendarID: The identifier of the calendar in the calendar list, not `primary`.
  ///   - account: The account.
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  public func series(_ id: String, in calendarID: String, for account: String) async throws -> StoredSeries? {
    guard let event = try await visibleEvent(id, in: calendarID, for: account) else { return nil }
    let query = EventQuery(calendarIDs: [calendarID], seriesID: id, includesCancelled: true)
    let exceptions = try await visibleEvents(matching: query, for: account, after: nil, limit: .max).map(\.event)
    return StoredSeries(event, exceptions: exceptions, in: calendarID)
  }
}
