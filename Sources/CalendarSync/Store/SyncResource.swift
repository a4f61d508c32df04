// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// A resource of a ``SyncCollection``.
///
/// Like the schemas of `CalendarAPI`, its description contains names of fields and never a value.
public enum SyncResource: Sendable, Hashable {
  /// An entry of the calendar list.
  case calendar(CalendarListEntry)
  /// An event, a recurring event, or a changed or cancelled instance.
  case event(Event)
  /// An access rule.
  case accessRule(AclRule)
  /// A setting.
  case setting(Setting)
  /// An incomplete edit.
  case edit(PendingEdit)

  /// Creates a resource from its JSON form, as a store keeps it.
  ///
  /// - Parameters:
  ///   - json: The result of ``json()``.
  ///   - collection: The list containing the resource.
  /// - Throws: `CalendarError` with code `malformedResponse` if `json` is damaged.
  public init(json: [UInt8], in collection: SyncCollection) throws(CalendarError) {
    self =
      switch collection {
      case .calendarList: .calendar(try CalendarListEntry(json: json))
      case .settings: .setting(try Setting(json: json))
      case .events: .event(try Event(json: json))
      case .accessRules: .accessRule(try AclRule(json: json))
      case .edits: .edit(try PendingEdit(json: json))
      }
  }

  /// The identifier, or `nil` if the server sent none.
  public var id: String? {
    switch self {
    case .calendar(let entry): entry.id
    case .event(let event): event.id
    case .accessRule(let rule): rule.id
    case .setting(let setting): setting.id
    case .edit(let edit): edit.id
    }
  }

  /// The identifier of an instance's recurring event, or `nil` for other resources.
  public var seriesID: String? {
    guard case .event(let event) = self else { return nil }
    return event.recurringEventID
  }

  /// The values by which an event is found, or `nil` for other resources.
  public var index: EventIndex? {
    guard case .event(let event) = self else { return nil }
    return EventIndex(event)
  }

  /// Returns the resource as JSON, with unknown fields.
  public func json() -> [UInt8] {
    switch self {
    case .calendar(let entry): entry.json()
    case .event(let event): event.json()
    case .accessRule(let rule): rule.json()
    case .setting(let setting): setting.json()
    case .edit(let edit): edit.json()
    }
  }
}
