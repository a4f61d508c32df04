// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// A rule for the body of a request, in addition to the limits of its fields.
///
/// `Tools/API/calendar_v3.json` names the rules of each method. A new rule is a static property, in an extension in a file for its
/// schema.
struct BodyRule: Sendable {
  /// Returns a message that states how a body violates the rule and the remedy, or `nil` if it does not.
  let problem: @Sendable (_ body: JSONValue, _ query: QueryItems) -> String?

  init(_ problem: @escaping @Sendable (_ body: JSONValue, _ query: QueryItems) -> String?) { self.problem = problem }
}

extension BodyRule {
  /// The URL for a channel's notifications.
  static let channelAddress = BodyRule { channel, _ in
    guard let address = channel["address"]?.string, !address.hasPrefix("https://") else { return nil }
    return "The address of a channel must be an https URL."
  }
}

extension BodyRule {
  /// The fields of an event that the server ignores or truncates, in addition to the limits of fields.
  static let event = BodyRule { event, _ in
    let reminders = event["reminders"]
    if reminders?["overrides"]?.array?.isEmpty == false, reminders?["useDefault"]?.bool == true {
      return "reminders.overrides is ignored unless useDefault is false. Set useDefault to false."
    }
    return propertyProblem(of: event["extendedProperties"])
  }

  /// The rejected fields of a new event.
  static let newEvent = BodyRule { event, _ in
    if let id = event["id"]?.string, !isValidForInsertion(id) {
      return
        "The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9. Omit it, or use Event.makeIdentifier()."
    }
    let start = event["start"]
    if event["recurrence"]?.array?.isEmpty == false, start?["dateTime"] != nil, start?["timeZone"] == nil {
      return "The start of a recurring event has no time zone. Set start.timeZone."
    }
    return nil
  }

  /// The fields of a new or changed event that the server ignores without a parameter, or because of one.
  static let eventParameters = BodyRule { event, query in
    if event["conferenceData"] != nil, let problem = conferenceProblem(query) { return problem }
    if event["attachments"] != nil, query.fields["supportsAttachments"] != "true" {
      return "attachments is ignored without supportsAttachments. Set supportsAttachments to true."
    }
    let hasLabels = query.fields["eventLabelVersion"] == "1"
    if event["eventLabelId"] != nil, !hasLabels {
      return "eventLabelId is ignored without eventLabelVersion 1. Set eventLabelVersion to 1."
    }
    if event["colorId"]?.string != nil, hasLabels {
      return "colorId is ignored with eventLabelVersion 1. Omit one of them, or set eventLabelId instead."
    }
    return nil
  }

  /// The fields of a replaced event that the server ignores without a parameter.
  ///
  /// A replacement sends back all fields of the read event. Only a new conference request indicates an intended change.
  static let replacedEventParameters = BodyRule { event, query in
    event["conferenceData"]?["createRequest"] == nil ? nil : conferenceProblem(query)
  }

  private static func conferenceProblem(_ query: QueryItems) -> String? {
    query.fields["conferenceDataVersion"] == "1"
      ? nil : "conferenceData is ignored without conferenceDataVersion 1. Set conferenceDataVersion to 1."
  }

  private static func isValidForInsertion(_ id: String) -> Bool {
    (5...1024).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "v")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  /// Returns the violated limit of the extended properties.
  ///
  /// The server drops names and truncates values over the limit.
  private static func propertyProblem(of extended: JSONValue?) -> String? {
    let properties = ["private", "shared"].flatMap { Array(extended?[$0]?.object ?? [:]) }
    if properties.contains(where: { $0.key.codePointCount > 44 }) {
      return "The name of an extended property can have at most 44 characters."
    }
    let values = properties.map { $0.value.string ?? "" }
    if values.contains(where: { $0.codePointCount > 1024 }) {
      return "The value of an extended property can have at most 1,024 characters."
    }
    if properties.count > 300 { return "An event can have at most 300 extended properties, not \(properties.count)." }
    let size = properties.reduce(0) { $0 + $1.key.utf8.count } + values.reduce(0) { $0 + $1.utf8.count }
    return size > 32_768 ? "The extended properties of an event can have at most 32 kB." : nil
  }
}

extension BodyRule {
  /// The ignored colours of a new or changed entry.
  static let entryColors = BodyRule { entry, query in
    guard query.fields["colorRgbFormat"] != "true",
      let field = ["backgroundColor", "foregroundColor"].first(where: { entry[$0] != nil })
    else { return nil }
    return "\(field) is ignored without colorRgbFormat. Set colorRgbFormat to true, or set colorId instead."
  }

  /// The colours of a replaced entry that the server ignores.
  ///
  /// A replacement sends back the entry's colours together with their identifier, and the server uses the identifier.
  /// It therefore also ignores a colour changed by the caller. The check cannot detect this change, because it does not
  /// know the colours of an identifier.
  static let replacedEntryColors = BodyRule { entry, query in
    entry["colorId"] == nil ? entryColors.problem(entry, query) : nil
  }
}
