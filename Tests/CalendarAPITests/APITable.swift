// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Foundation

/// The table of the API, from the repository.
struct APITable {
  let facts: JSONValue

  init() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let root = tests.deletingLastPathComponent()
    facts = try JSONValue(json: [UInt8](Data(contentsOf: root.appending(path: "Tools/API/calendar_v3.json"))))
  }

  func members(_ name: String) -> [(key: String, value: JSONValue)] {
    (facts[name]?.object ?? [:]).sorted { $0.key < $1.key }
  }
}

extension APITable {
  /// A value that a field can have by its facts, and which an unknown field stands beside.
  func sample(_ facts: JSONValue) -> JSONValue {
    if let properties = facts["properties"]?.object {
      let object = sample(object: properties)
      return facts["type"] == "array" ? [object] : object
    }
    if let items = facts["items"] { return [sample(items.merging(facts))] }
    if let values = facts["mapOf"] { return ["key \"1\"": sample(values), "": sample(values)] }
    if let name = facts["ref"]?.string { return sample(schema: name) }
    switch (facts["type"]?.string, facts["format"]?.string) {
    case ("boolean", _): return true
    case ("integer", _): return 40
    case ("any", _): return ["a": [.null, 1]]
    case (_, "date"): return "2026-03-01"
    case (_, "date-time"): return "2026-03-01T09:30:00.250Z"
    case (_, "offset-date-time"): return "2026-03-01T09:30:00+05:30"
    case (_, "color"): return "#9fe1e7"
    case (_, "int64"): return "1426325213000"
    default: return "Text \"ñ\" \n🍋"
    }
  }

  func sample(schema name: String) -> JSONValue {
    sample(object: facts["schemas"]?[name]?["properties"]?.object ?? [:])
  }

  private func sample(object properties: [String: JSONValue]) -> JSONValue {
    var object = properties.mapValues(sample)
    object["future"] = ["deep": [true, .null, 15]]
    return .object(object)
  }
}

extension JSONValue {
  /// The element of an array keeps what the array says of it.
  func merging(_ facts: JSONValue) -> JSONValue {
    .object((facts.object ?? [:]).filter { $0.key == "format" }.merging(object ?? [:]) { _, own in own })
  }
}
