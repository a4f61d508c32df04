// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding
public import Timekeeping

/// An edit, stored from before its first request until its last change is made.
///
/// The description contains the number of changes and the state, and never a value.
public struct PendingEdit: Sendable, Hashable, Identifiable {
  /// The progress of an edit.
  public enum State: Sendable, Hashable {
    /// The changes are being made.
    case sending
    /// The insertions are being removed, because the server has refused the edit.
    case undoing(reason: String)
    /// Another client has changed the same fields. The edit waits for ``CalendarEditor/resolve(_:by:)``.
    case conflict(EditConflict)
    /// The edit has no effect. It is kept until it is discarded.
    case refused(reason: String)
  }

  /// The unique identifier.
  public let id: String
  /// The position among the account's edits, oldest first.
  public internal(set) var number = 0
  /// The identifier of the calendar.
  public let calendarID: String
  /// The time at which the edit was made.
  public let created: Timestamp
  /// The changes in their order.
  public internal(set) var changes: [EventChange]
  /// The original start of the instance at which a recurring event is split, or `nil` for other edits.
  public let split: Timestamp?
  /// The number of changes made.
  public internal(set) var completed = 0
  /// The progress.
  public internal(set) var state = State.sending

  /// Creates the edit of a plan, with a new identifier.
  public init(_ plan: SeriesPlan, created: Timestamp) {
    id = Event.makeIdentifier()
    calendarID = plan.calendarID
    self.created = created
    changes = plan.changes
    split = plan.split
  }

  /// Creates the edit of one event.
  init(_ change: EventChange, in calendarID: String, created: Timestamp) {
    id = Event.makeIdentifier()
    self.calendarID = calendarID
    self.created = created
    changes = [change]
    split = nil
  }

  /// Whether the copy shows the events as they are after the edit.
  var isVisible: Bool {
    switch state {
    case .sending, .conflict: true
    case .undoing, .refused: false
    }
  }

  /// The index of the first conditional change, which decides whether the edit is made, or the number of changes if there is none.
  var decisive: Int { changes.firstIndex { $0.condition != .none } ?? changes.count }

  /// The insertions before the decision.
  var insertions: [EventChange] {
    changes[..<decisive].filter { if case .insert = $0.action { true } else { false } }
  }
}

extension PendingEdit: CustomStringConvertible, CustomReflectable {
  /// The state and the number of changes.
  public var description: String {
    let state =
      switch state {
      case .sending: "sending"
      case .undoing: "undoing"
      case .conflict: "in conflict"
      case .refused: "refused"
      }
    return "\(state), \(completed) of \(changes.count) changes"
  }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["edit": description]) }
}

// The stored form.
extension PendingEdit {
  func json() -> [UInt8] {
    var fields: [String: JSONValue] = [
      "id": .string(id), "calendar": .string(calendarID), "created": .string(created.description),
      "number": .number(JSONNumber(number)),
      "changes": .array(changes.map(\.jsonValue)), "completed": .number(JSONNumber(completed)),
    ]
    fields["split"] = split.map { .string($0.description) }
    switch state {
    case .sending: break
    case .undoing(let reason): fields["undoing"] = .string(reason)
    case .conflict(let conflict):
      fields["theirs"] = conflict.theirs.flatMap { try? JSONValue(json: $0.json()) } ?? .null
    case .refused(let reason): fields["refused"] = .string(reason)
    }
    return JSONValue.object(fields).json()
  }

  init(json: [UInt8]) throws(CalendarError) {
    guard let fields = try? JSONValue(json: json), let id = fields["id"]?.string,
      let calendarID = fields["calendar"]?.string, let elements = fields["changes"]?.array,
      let created = fields["created"]?.string.flatMap({ try? Timestamp(rfc3339: $0) }),
      let completed = fields["completed"]?.number?.integer, let number = fields["number"]?.number?.integer
    else {
      throw CalendarError(
        .malformedResponse, "The stored edit is damaged. Remove it from the store, then make the edit again.")
    }
    let changes = elements.compactMap(EventChange.init)
    guard changes.count == elements.count, (0...changes.count).contains(completed) else {
      throw CalendarError(
        .malformedResponse, "The stored edit has a damaged change. Remove it from the store, then make the edit again.")
    }
    self.id = id
    self.number = number
    self.calendarID = calendarID
    self.created = created
    self.changes = changes
    split = fields["split"]?.string.flatMap { try? Timestamp(rfc3339: $0) }
    self.completed = completed
    if let reason = fields["refused"]?.string {
      state = .refused(reason: reason)
    } else if let reason = fields["undoing"]?.string {
      state = .undoing(reason: reason)
    } else if let theirs = fields["theirs"], self.completed < changes.count {
      let event = theirs == .null ? nil : try? Event(json: theirs.json())
      state = .conflict(EditConflict(changes[self.completed], in: calendarID, theirs: event))
    }
  }
}

extension CalendarStore {
  /// Returns the incomplete edits, oldest first.
  ///
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  public func pendingEdits(for account: String) async throws -> [PendingEdit] {
    try await resources(in: .edits, for: account, after: nil, limit: .max)
      .compactMap { if case .edit(let edit) = $0 { edit } else { nil } }
      .sorted { $0.number < $1.number }
  }

  /// Stores a new edit after all others.
  ///
  /// - Returns: The edit with its number.
  func add(_ edit: PendingEdit, for account: String) async throws -> PendingEdit {
    try await changeEdits(for: account) { number in
      var edit = edit
      edit.number = number
      return (.put(.edit(edit)), edit)
    } ?? edit
  }

  /// Replaces an edit if no other program has changed it.
  ///
  /// - Parameters:
  ///   - old: The stored edit.
  ///   - new: The edit to store, or `nil` to remove it.
  /// - Returns: Whether the edit was replaced.
  func replace(_ old: PendingEdit, with new: PendingEdit?, for account: String) async throws -> Bool {
    try await changeEdits(for: account) { _ in
      guard try await pendingEdit(old.id, for: account) == old else { return nil }
      return (new.map { .put(.edit($0)) } ?? .remove(old.id), true)
    } ?? false
  }

  /// Applies a change of the edits to the state for which it was computed.
  ///
  /// - Parameter step: Returns the change, or `nil` for none. The number is higher than every earlier change's.
  private func changeEdits<Output>(
    for account: String, _ step: (_ number: Int) async throws -> (SyncTransaction.Step, Output)?
  ) async throws -> Output? {
    while true {
      let state = try await state(of: .edits, for: account)
      // Every transaction has its own state, so a concurrent transaction is detected.
      let (number, isTooHigh) = (state?.fullPass ?? 0).addingReportingOverflow(1)
      guard !isTooHigh else {
        throw CalendarStoreError(
          .damaged, "The store has no number after its last edit's. Restore a backup of the store.")
      }
      let next = SyncState(query: "", fullPass: number)
      guard let (step, output) = try await step(next.fullPass) else { return nil }
      do {
        try await apply(
          SyncTransaction(account: account, collection: .edits, expected: state, state: next, steps: [step]))
        return output
      } catch let error as CalendarStoreError where error.code == .superseded {
        try Task.checkCancellation()
      }
    }
  }

  /// Returns an edit, or `nil` if there is none.
  func pendingEdit(_ id: String, for account: String) async throws -> PendingEdit? {
    guard case .edit(let edit) = try await resource(id, in: .edits, for: account) else { return nil }
    return edit
  }
}
