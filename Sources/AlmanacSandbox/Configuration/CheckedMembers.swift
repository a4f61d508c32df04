// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The members of an object of a seed, or of the body of a control request.
///
/// Decoding a member removes it. The remaining members are therefore unknown ones. A `null` member counts as absent.
struct CheckedMembers {
  private var rest: [String: JSONValue]
  /// The name of the document, for error messages.
  private let document: String
  /// The path of the object, such as `users[1]`, or empty for the document itself.
  private let place: String

  init(_ value: JSONValue, _ place: String = "", of document: String) throws(SandboxError) {
    guard let members = value.object else {
      throw SandboxError(
        place.isEmpty ? "The \(document) is not a JSON object." : "In the \(document), \(place) must be an object.")
    }
    rest = members
    self.document = document
    self.place = place
  }

  mutating func text(_ name: String) throws(SandboxError) -> String? {
    try take(name, "a string") { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
  }

  mutating func required(_ name: String) throws(SandboxError) -> String {
    guard let text = try text(name) else { throw fault(name, "is missing") }
    return text
  }

  /// Decodes an integer in a range, or throws an error with `range` for any other value.
  mutating func integer(
    _ name: String, _ range: String, where isValid: (Int) -> Bool
  ) throws(SandboxError) -> Int? {
    try take(name, range) { value in value.number?.integer.flatMap { isValid($0) ? $0 : nil } }
  }

  mutating func flag(_ name: String) throws(SandboxError) -> Bool? { try take(name, "true or false", \.bool) }

  mutating func objects(_ name: String) throws(SandboxError) -> [[String: JSONValue]] {
    try take(name, "an array of objects") { value in
      guard let objects = value.array?.map(\.object), objects.allSatisfy({ $0 != nil }) else { return nil }
      return objects.compactMap(\.self)
    } ?? []
  }

  mutating func texts(_ name: String) throws(SandboxError) -> [String]? {
    try take(name, "an array of strings") { value in
      guard let texts = value.array?.map(\.string), texts.allSatisfy({ $0 != nil }) else { return nil }
      return texts.compactMap(\.self)
    }
  }

  /// Decodes an array of objects, and throws if an object has unknown members.
  mutating func list<Element>(
    _ name: String, _ read: (inout CheckedMembers, Int) throws(SandboxError) -> Element
  ) throws(SandboxError) -> [Element] {
    var elements: [Element] = []
    for (index, value) in (try take(name, "an array", \.array) ?? []).enumerated() {
      var members = try CheckedMembers(value, "\(path(name))[\(index)]", of: document)
      elements.append(try read(&members, index))
      try members.finish()
    }
    return elements
  }

  /// Removes and returns all remaining members.
  mutating func others() -> [String: JSONValue] {
    defer { rest = [:] }
    return rest
  }

  /// Throws if members remain.
  func finish() throws(SandboxError) {
    guard let name = rest.keys.min() else { return }
    throw fault(name, "is unknown")
  }

  /// Returns an error that names a member.
  func fault(_ name: String, _ problem: String) -> SandboxError {
    SandboxError("In the \(document), \(path(name)) \(problem).")
  }

  private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// Removes and decodes a member.
  ///
  /// Throws an error with the expected kind if `read` returns `nil`.
  mutating func take<Value>(
    _ name: String, _ kind: String, _ read: (JSONValue) -> Value?
  ) throws(SandboxError) -> Value? {
    guard let value = rest.removeValue(forKey: name), value != .null else { return nil }
    guard let value = read(value) else { throw fault(name, "must be \(kind)") }
    return value
  }
}
