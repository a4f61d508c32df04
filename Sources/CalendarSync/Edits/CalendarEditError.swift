// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error of planning or sending an edit of an event.
///
/// It contains no identifier and no content of an event.
public struct CalendarEditError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The store has no event with this identifier.
    public static let notStored = Code(description: "notStored")
    /// The event does not recur.
    public static let notRecurring = Code(description: "notRecurring")
    /// The event has no instance with this original start.
    public static let notAnInstance = Code(description: "notAnInstance")
    /// The rule or the time zone of the recurring event cannot be read.
    public static let unreadableRecurrence = Code(description: "unreadableRecurrence")
    /// Only the organizer can split the recurring event.
    public static let notOrganizer = Code(description: "notOrganizer")
    /// The event is stored without some of its attendees, whom the edit would remove.
    public static let attendeesOmitted = Code(description: "attendeesOmitted")
    /// The edit of one instance sets a recurrence.
    public static let recurrenceOfInstance = Code(description: "recurrenceOfInstance")
    /// No rule describes the instances at their new times.
    public static let cannotMove = Code(description: "cannotMove")
    /// No rule describes the instances from this one on.
    public static let cannotSplit = Code(description: "cannotSplit")
    /// Another client has changed the event since it was stored.
    ///
    /// The edit has no effect: its inserted events were removed.
    public static let conflict = Code(description: "conflict")
    /// Only some of the changes of an edit may have been made.
    ///
    /// ``CalendarEditError/plan`` contains all changes.
    public static let interrupted = Code(description: "interrupted")
  }

  /// The kind of fault.
  public let code: Code
  /// A message that states the failure and its remedy.
  public let message: String
  /// The plan of an interrupted edit, which `events.perform(_:)` completes, or `nil` for other errors.
  public let plan: SeriesPlan?
  /// The error that interrupted the edit.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, plan: SeriesPlan? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.plan = plan
    self.cause = cause
  }

  /// The ``message``.
  public var description: String { message }
}

extension CalendarEditError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

extension CalendarEditError {
  static let notStored = Self(
    .notStored, "The store has no event with this identifier. Synchronize, then read the event again.")
  static let notRecurring = Self(.notRecurring, "The event does not recur. Change it with `edit(_:in:)`.")
  static let notAnInstance = Self(
    .notAnInstance,
    "The recurring event has no instance at this original start. Synchronize, then read the instance again.")
  static let unreadableRecurrence = Self(
    .unreadableRecurrence,
    "The event's recurrence rule or time zone cannot be read, so its instances are unknown. Edit the event in the application that created it."
  )
  static let notOrganizer = Self(
    .notOrganizer, "Only the organizer can change this and all following instances. Edit this instance or all of them.")
  static let attendeesOmitted = Self(
    .attendeesOmitted,
    "The store does not have all attendees, and the edit would remove the others. Synchronize without a maximum number of attendees."
  )
  static let recurrenceOfInstance = Self(
    .recurrenceOfInstance, "One instance cannot recur. Choose `thisAndFollowing` or `all`.")
  static let cannotMove = Self(
    .cannotMove,
    "No rule describes the instances at their new times. Set `recurrence` to the new rule in the same edit.")
  static let cannotSplit = Self(
    .cannotSplit,
    "No rule describes the instances from this one on. Set `recurrence` to their rule in the same edit.")
  static func interrupted(_ plan: SeriesPlan, _ cause: any Error) -> Self {
    Self(
      .interrupted,
      "The edit was interrupted. Some of its changes may have been made. To make the others, pass the error's `plan` to `events.perform(_:)`.",
      plan: plan, cause: cause)
  }
  static let conflict = Self(
    .conflict,
    "Another client has changed the event since it was stored, so the edit was not made. Synchronize, then edit it again."
  )
}
