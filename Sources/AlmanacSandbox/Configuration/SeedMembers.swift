// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The members of an object of a seed, each taken out when it is read: what is left is not known.
struct SeedMembers {
  private var rest: [String: JSONValue]
  /// Where the object is, such as `users[1]`; empty for the seed itself.
  private let place: String

  init(_ value: JSONValue, _ place: String) throws(SandboxError) {
    guard let members = value.object else {
      throw SandboxError(
        place.isEmpty ? "The seed is not a JSON object." : "In the seed, \(place) has to be an object.")
    }
    rest = members
    self.place = place
  }

  mutating func text(_ name: String) throws(SandboxError) -> String? {
    try take(name, "a string") { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
  }

  mutating func required(_ name: String) throws(SandboxError) -> String {
    guard let text = try text(name) else { throw fault(name, "is missing") }
    return text
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

  /// Reads an array of objects, each of which must have known members only.
  mutating func list<Element>(
    _ name: String, _ read: (inout SeedMembers, Int) throws(SandboxError) -> Element
  ) throws(SandboxError) -> [Element] {
    var elements: [Element] = []
    for (index, value) in (try take(name, "an array", \.array) ?? []).enumerated() {
      var members = try SeedMembers(value, "\(path(name))[\(index)]")
      elements.append(try read(&members, index))
      try members.finish()
    }
    return elements
  }

  /// All members that were not read.
  mutating func others() -> [String: JSONValue] {
    defer { rest = [:] }
    return rest
  }

  /// Refuses members that were not read.
  func finish() throws(SandboxError) {
    guard let name = rest.keys.min() else { return }
    throw fault(name, "is not known")
  }

  /// An error that names a member.
  func fault(_ name: String, _ problem: String) -> SandboxError {
    SandboxError("In the seed, \(path(name)) \(problem).")
  }

  private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// Takes a member out, and reads it; `nil` from `read` is an error that names the kind.
  mutating func take<Value>(
    _ name: String, _ kind: String, _ read: (JSONValue) -> Value?
  ) throws(SandboxError) -> Value? {
    guard let value = rest.removeValue(forKey: name) else { return nil }
    guard let value = read(value) else { throw fault(name, "has to be \(kind)") }
    return value
  }
}
