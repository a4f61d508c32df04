// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension RequestLimits {
  /// What the server ignores, cuts or drops of an event beside the limits of its fields.
  static func problem(ofEvent event: JSONValue) -> String? {
    let reminders = event["reminders"]
    if reminders?["overrides"]?.array?.isEmpty == false, reminders?["useDefault"]?.bool == true {
      return "Reminders are ignored unless useDefault is false."
    }
    return problem(ofProperties: event["extendedProperties"])
  }

  /// What the server refuses in a new event.
  static func insertionProblem(of event: JSONValue) -> String? {
    if let id = event["id"]?.string, !isValidForInsertion(id) {
      return "The identifier of a new event has 5 to 1,024 of the characters a to v and 0 to 9."
    }
    let start = event["start"]
    if event["recurrence"]?.array?.isEmpty == false, start?["dateTime"] != nil, start?["timeZone"] == nil {
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

  /// Names that are too long are dropped by the server, and values that are too long are cut.
  private static func problem(ofProperties extended: JSONValue?) -> String? {
    let properties = ["private", "shared"].flatMap { Array(extended?[$0]?.object ?? [:]) }
    if properties.contains(where: { $0.key.codePointCount > 44 }) {
      return "The name of an extended property has at most 44 characters."
    }
    let values = properties.map { $0.value.string ?? "" }
    if values.contains(where: { $0.codePointCount > 1024 }) {
      return "The value of an extended property has at most 1,024 characters."
    }
    if properties.count > 300 { return "An event has at most 300 extended properties, not \(properties.count)." }
    let size = properties.reduce(0) { $0 + $1.key.utf8.count } + values.reduce(0) { $0 + $1.utf8.count }
    return size > 32_768 ? "The extended properties of an event have at most 32 kB." : nil
  }
}
