// SPDX-License-Identifier: Apache-2.0

extension Event {
  /// The first limit of an event that the server enforces silently.
  var problem: String? {
    if let count = attachments?.count, count > 25 { return "An event has at most 25 attachments, not \(count)." }
    return reminders?.problem ?? extendedProperties?.problem
  }

  /// The first limit of a new event.
  var insertionProblem: String? {
    if let id, !Self.isValidForInsertion(id) {
      return "The identifier of a new event has 5 to 1,024 of the characters a to v and 0 to 9."
    }
    if recurrence?.isEmpty == false, let start, start.dateTime != nil, start.timeZone == nil {
      return "A recurring event needs the time zone of its start."
    }
    return nil
  }

  private static func isValidForInsertion(_ id: String) -> Bool {
    (5...1024).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "v")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}

extension Event.Reminders {
  fileprivate var problem: String? {
    guard let overrides, !overrides.isEmpty else { return nil }
    if overrides.count > 5 { return "An event has at most 5 reminders, not \(overrides.count)." }
    if useDefault == true { return "Reminders are ignored unless useDefault is false." }
    if overrides.contains(where: { !(0...40_320).contains($0.minutes ?? 0) }) {
      return "A reminder is 0 to 40,320 minutes before the start."
    }
    return nil
  }
}

extension Event.ExtendedProperties {
  /// Names that are too long are dropped by the server, and values that are too long are cut.
  fileprivate var problem: String? {
    let properties = Array(`private` ?? [:]) + Array(shared ?? [:])
    if properties.contains(where: { $0.key.count > 44 }) {
      return "The name of an extended property has at most 44 characters."
    }
    if properties.contains(where: { $0.value.count > 1024 }) {
      return "The value of an extended property has at most 1,024 characters."
    }
    if properties.count > 300 { return "An event has at most 300 extended properties, not \(properties.count)." }
    let size = properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    return size > 32_768 ? "The extended properties of an event have at most 32 kB." : nil
  }
}
