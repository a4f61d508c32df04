// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The fields of a partial response
/// ([reference](https://developers.google.com/workspace/calendar/api/guides/performance#partial-response)), such as
/// `items(id,start/date),nextPageToken`.
struct FieldSelection: Sendable {
  /// The selected fields, each with its own selection, or empty for all fields.
  private var members: [String: FieldSelection] = [:]

  private init() {}

  /// Parses a selection.
  ///
  /// - Parameter schema: The schema of the response, which must define every field.
  init(_ text: String, of schema: ResourceSchema?) throws(APIFault) {
    var reader = Reader(text: Array(text.utf8))
    self = try reader.list()
    guard reader.isAtEnd else { throw Self.fault(text) }
    try check(schema, text)
  }

  fileprivate static func fault(_ name: String) -> APIFault {
    .invalidParameter("fields", "Invalid field selection \(name)")
  }

  private func check(_ schema: ResourceSchema?, _ text: String) throws(APIFault) {
    guard let schema else { return }
    for (name, selection) in members where name != "*" {
      guard let kind = schema.properties[name] else { throw Self.fault(name) }
      guard selection.members.isEmpty || kind.isOpen || kind.schema != nil else { throw Self.fault(name) }
      try selection.check(kind.schema, text)
    }
  }

  /// Returns the selected fields of a value, or of each element of an array.
  func apply(to value: JSONValue) -> JSONValue {
    let any = members["*"]
    // Selecting a field includes all fields below it.
    guard !members.isEmpty, any?.members.isEmpty != true else { return value }
    switch value {
    case .array(let elements): return .array(elements.map(apply))
    case .object(let fields):
      var result: [String: JSONValue] = [:]
      for (name, value) in fields {
        if let selection = members[name] ?? any { result[name] = selection.apply(to: value) }
      }
      return .object(result)
    default: return value
    }
  }

  private mutating func add(_ name: String, _ selection: FieldSelection) {
    guard var known = members[name] else {
      members[name] = selection
      return
    }
    // Selecting a field includes all fields below it.
    if known.members.isEmpty || selection.members.isEmpty {
      members[name] = FieldSelection()
      return
    }
    for (name, selection) in selection.members { known.add(name, selection) }
    members[name] = known
  }

  private struct Reader {
    let text: [UInt8]
    var position = 0
    var depth = 0

    var isAtEnd: Bool { position == text.count }

    mutating func list() throws(APIFault) -> FieldSelection {
      var selection = FieldSelection()
      repeat {
        let (name, below) = try field()
        selection.add(name, below)
      } while skip(",")
      return selection
    }

    private mutating func field() throws(APIFault) -> (String, FieldSelection) {
      let start = position
      while position < text.count, !"(),/".utf8.contains(text[position]) { position += 1 }
      let name = String(decoding: text[start..<position], as: UTF8.self)
      guard !name.isEmpty, depth < 32 else { throw FieldSelection.fault(name) }
      depth += 1
      defer { depth -= 1 }
      if skip("/") {
        let (next, below) = try field()
        var selection = FieldSelection()
        selection.add(next, below)
        return (name, selection)
      }
      guard skip("(") else { return (name, FieldSelection()) }
      let selection = try list()
      guard skip(")") else { throw FieldSelection.fault(name) }
      return (name, selection)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }
  }
}
