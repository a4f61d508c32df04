// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Foundation

extension APITable {
  /// The schema of a response, by its kind; of one without a kind, the schema that knows most of its fields and is named in
  /// that of its file.
  func schema(of body: JSONValue, fileName: String) -> String? {
    let fields = Set((body.object ?? [:]).keys)
    let file = fileName.lowercased()
    func rank(_ name: String, _ facts: JSONValue) -> (kind: Int, known: Int, isNamed: Int) {
      let properties = facts["properties"]?.object ?? [:]
      let hasKind = properties["kind"]?["default"].map { $0 == body["kind"] } ?? false
      return (hasKind ? 1 : 0, fields.intersection(properties.keys).count, file.contains(name.lowercased()) ? 1 : 0)
    }
    return members("schemas").max { rank($0.key, $0.value) < rank($1.key, $1.value) }?.key
  }

  /// A value in one spelling of what may be spelled otherwise when it is written.
  ///
  /// These are times, colours and numbers that have a property, and properties that are `null`. All else stays as it is.
  func inOneSpelling(_ value: JSONValue, ofSchema name: String) -> JSONValue {
    inOneSpelling(value, facts["schemas"]?[name] ?? .null)
  }

  private func inOneSpelling(_ value: JSONValue, _ facts: JSONValue) -> JSONValue {
    if let elements = value.array, facts["type"] == "array" {
      let element = facts["items"].map { $0.merging(facts) } ?? facts.without("type")
      return .array(elements.map { inOneSpelling($0, element) })
    }
    if let name = facts["ref"]?.string { return inOneSpelling(value, ofSchema: name) }
    if let fields = value.object {
      if let values = facts["mapOf"] { return .object(fields.mapValues { inOneSpelling($0, values) }) }
      guard let properties = facts["properties"]?.object else { return value }
      var result = fields.filter { $0.value != .null || properties[$0.key] == nil }
      for (name, property) in properties { result[name] = result[name].map { inOneSpelling($0, property) } }
      return .object(result)
    }
    switch (facts["type"]?.string, facts["format"]?.string) {
    case ("integer", _): return value.number?.integer.map { .number(JSONNumber($0)) } ?? value
    case (_, "int64"): return value.number?.integer.map { .string(String($0)) } ?? value
    case (_, "color"): return value.string.map { .string($0.lowercased()) } ?? value
    case (_, "date-time"): return value.string.map { .string(Self.time($0, keepsOffset: false)) } ?? value
    case (_, "offset-date-time"): return value.string.map { .string(Self.time($0, keepsOffset: true)) } ?? value
    default: return value
    }
  }

  /// A time of RFC 3339 without zeros that end its fraction, in UTC or with its offset; any other text as it is.
  ///
  /// Foundation reads it, so that a fault of `Timekeeping` shows.
  private static func time(_ text: String, keepsOffset: Bool) -> String {
    let form = /([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+?)?0*(Z|[+-][0-9]{2}:[0-9]{2})/
    let style = Date.ISO8601FormatStyle(timeZoneSeparator: .colon)
    guard let parts = text.uppercased().wholeMatch(of: form), let instant = try? style.parse("\(parts.1)\(parts.3)")
    else {
      return text
    }
    let fraction = parts.2 == ".0" ? "" : parts.2 ?? ""
    guard keepsOffset, !parts.3.hasSuffix("00:00") else {
      return style.format(instant).replacing("Z", with: "\(fraction)Z")
    }
    return "\(parts.1)\(fraction)\(parts.3)"
  }
}

extension JSONValue {
  /// The object without a field.
  fileprivate func without(_ name: String) -> JSONValue { .object((object ?? [:]).filter { $0.key != name }) }
}
