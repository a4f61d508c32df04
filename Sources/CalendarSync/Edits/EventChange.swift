// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
import JSONCoding

/// A change of one event on the server, as a step of an edit.
///
/// The description contains names of fields and never a value.
public struct EventChange: Sendable, Hashable {
  /// The kind of change.
  public enum Action: Sendable, Hashable {
    /// A new event with an identifier of its own.
    case insert(Event)
    /// A change of some fields.
    case patch(Event.Patch)
    /// A deletion.
    case delete
  }

  /// The state that the event must still have.
  public enum Condition: Sendable, Hashable {
    /// Any state.
    case none
    /// The version with this entity tag.
    case version(String)
    /// A version in which the fields have these values.
    case fields(Event.Patch)
  }

  /// The identifier of the event or instance.
  public let eventID: String
  /// The change.
  public let action: Action
  /// The event before the change, or `nil` for an insertion.
  public let base: Event?
  /// The state in which the change is made.
  ///
  /// The first change with a condition decides: if its condition is not met, the insertions before it are undone.
  public internal(set) var condition: Condition
  /// The guests who are notified.
  public let sendUpdates: SendUpdates?

  /// Creates a change.
  public init(
    _ eventID: String, _ action: Action, base: Event? = nil, if condition: Condition = .none,
    sendUpdates: SendUpdates? = nil
  ) {
    self.eventID = eventID
    self.action = action
    self.base = base
    self.condition = condition
    self.sendUpdates = sendUpdates
  }
}

extension EventChange: CustomStringConvertible, CustomReflectable {
  /// The kind of change, and the names of the fields.
  public var description: String {
    switch action {
    case .insert(let event): "insert \(event.debugDescription)"
    case .patch(let patch): "patch \(patch.debugDescription)"
    case .delete: "delete"
    }
  }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["change": description]) }
}

extension EventChange {
  /// Returns a change that is made only if its fields still have the values of `base`.
  static func editing(
    _ id: String, _ patch: Event.Patch, base: Event, sendUpdates: SendUpdates?
  ) -> EventChange {
    let inverse = Event.Patch(from: patch.applied(to: base), to: base)
    return EventChange(id, .patch(patch), base: base, if: .fields(inverse), sendUpdates: sendUpdates)
  }

  /// Returns a deletion that is made only if the event still has its content, apart from its attendees.
  static func deleting(_ id: String, base: Event, sendUpdates: SendUpdates?) -> EventChange {
    // The server adds fields to a new event. The copy has them only after the server has returned the event.
    let values = base.created == nil ? Event.Patch(from: Event(), to: base) : .set(base)
    let content = values.removing(Event.namesOfIdentity.union(["attendees", "status"]))
    return EventChange(id, .delete, base: base, if: .fields(content), sendUpdates: sendUpdates)
  }
}

// The stored form.
extension EventChange {
  var jsonValue: JSONValue {
    var fields: [String: JSONValue] = ["id": .string(eventID)]
    switch action {
    case .insert(let event): fields["insert"] = try? JSONValue(json: event.json())
    case .patch(let patch): fields["patch"] = patch.changes
    case .delete: fields["delete"] = true
    }
    switch condition {
    case .none: break
    case .version(let tag): fields["ifMatch"] = .string(tag)
    case .fields(let patch): fields["ifFields"] = patch.changes
    }
    fields["base"] = base.flatMap { try? JSONValue(json: $0.json()) }
    fields["sendUpdates"] = sendUpdates.map { .string($0.rawValue) }
    return .object(fields)
  }

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string else { return nil }
    eventID = id
    if let event = json["insert"].flatMap({ try? Event(json: $0.json()) }) {
      action = .insert(event)
    } else if let changes = json["patch"] {
      action = .patch(Event.Patch { $0.changes = changes })
    } else if json["delete"] == true {
      action = .delete
    } else {
      return nil
    }
    if let tag = json["ifMatch"]?.string {
      condition = .version(tag)
    } else {
      condition = json["ifFields"].map { changes in .fields(Event.Patch { $0.changes = changes }) } ?? .none
    }
    base = json["base"].flatMap { try? Event(json: $0.json()) }
    sendUpdates = json["sendUpdates"]?.string.map(SendUpdates.init(rawValue:))
  }
}
