// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// A limit of a field of a body.
struct FieldLimit: Sendable {
  /// What is limited.
  enum Bound: Sendable {
    case elements(Int)
    case characters(Int)
    case value(ClosedRange<Int>)
  }

  private let path: [String]
  private let bound: Bound

  /// Creates a limit.
  ///
  /// - Parameter path: The names that lead to the field, with a dot between them; the elements of arrays are passed through.
  init(_ path: String, _ bound: Bound) {
    self.path = path.split(separator: ".").map(String.init)
    self.bound = bound
  }

  /// How a body breaks the limit; `nil` if it does not.
  func problem(of body: JSONValue) -> String? {
    values(at: path[...], in: body).lazy.compactMap { problem(ofField: $0) }.first
  }

  private func values(at path: ArraySlice<String>, in value: JSONValue) -> [JSONValue] {
    guard let name = path.first else { return [value] }
    if let elements = value.array { return elements.flatMap { values(at: path, in: $0) } }
    return value[name].map { values(at: path.dropFirst(), in: $0) } ?? []
  }

  private func problem(ofField value: JSONValue) -> String? {
    let name = path.joined(separator: ".")
    switch bound {
    case .elements(let limit):
      guard let count = value.array?.count, count > limit else { return nil }
      return "\(name) has at most \(limit) elements, not \(count)."
    case .characters(let limit):
      guard let count = value.string?.codePointCount, count > limit else { return nil }
      return "\(name) has at most \(limit) characters, not \(count)."
    case .value(let range): return value.number?.integer.flatMap { range.problem(of: $0, name) }
    }
  }
}

extension String {
  /// The number of Unicode code points, by which limits of characters are checked.
  ///
  /// An emoji may be several of them. In UTF-16 code units a text is no shorter, so that one that is too long is so for
  /// the server too, whichever of them it counts.
  var codePointCount: Int { unicodeScalars.count }
}

/// A limit of a query parameter that is a number.
struct ParameterLimit: Sendable {
  private let name: String
  private let range: ClosedRange<Int>

  /// Creates a limit.
  init(_ name: String, _ range: ClosedRange<Int>) {
    self.name = name
    self.range = range
  }

  /// How a query breaks the limit; `nil` if it does not.
  func problem(of query: QueryItems) -> String? {
    query.fields[name].flatMap { Int($0) }.flatMap { range.problem(of: $0, name) }
  }
}

extension ClosedRange<Int> {
  /// What is wrong with a value that is outside of the range.
  fileprivate func problem(of value: Int, _ name: String) -> String? {
    if contains(value) { return nil }
    return value < lowerBound
      ? "\(name) is at least \(lowerBound), not \(value)." : "\(name) is at most \(upperBound), not \(value)."
  }
}
