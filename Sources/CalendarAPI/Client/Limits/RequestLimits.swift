// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// The limits of a method's requests: what the server would ignore, truncate or refuse, found before a request is sent.
struct RequestLimits: Sendable {
  /// The limits of numbers in the query.
  let parameters: [ParameterLimit]
  /// The limits of the fields of a body.
  let fields: [FieldLimit]
  /// The rules for a body beside the limits of its fields, in the order in which they are checked.
  let rules: [BodyRule]
  /// The parameters that a synchronization does not allow; `nil` for a method that has none.
  let sync: SyncRules?

  init(
    parameters: [ParameterLimit] = [], fields: [FieldLimit] = [], rules: [BodyRule] = [], sync: SyncRules? = nil
  ) {
    self.parameters = parameters
    self.fields = fields
    self.rules = rules
    self.sync = sync
  }

  /// The limits that all methods have.
  static let none = RequestLimits()
}

extension RequestLimits {
  /// Returns the first limit that a request breaks, and what to do about it; `nil` if it breaks none.
  func problem(of query: QueryItems, _ body: CalendarRequestBody) -> String? {
    if let quotaUser = query.fields["quotaUser"], quotaUser.codePointCount > 40 {
      return "quotaUser has more than 40 characters."
    }
    if let problem = parameters.lazy.compactMap({ $0.problem(of: query) }).first { return problem }
    if let problem = sync?.problem(of: query) { return problem }
    guard let body = body.json else { return nil }
    return rules.lazy.compactMap { $0.problem(body, query) }.first
      ?? fields.lazy.compactMap { $0.problem(of: body) }.first
  }
}

/// The parameters that a synchronization does not allow.
struct SyncRules: Sendable {
  let mustNotCombine: [String]
  let mustNotBeFalse: [String]

  /// Returns the first parameter that does not go with a sync token; `nil` if there is none.
  fileprivate func problem(of query: QueryItems) -> String? {
    guard query.fields["syncToken"] != nil else { return nil }
    if let parameter = mustNotCombine.first(where: { query.fields[$0] != nil }) {
      return "\(parameter) cannot be combined with syncToken: leave one of them out."
    }
    if let parameter = mustNotBeFalse.first(where: { query.fields[$0] == "false" }) {
      return "\(parameter) cannot be false with syncToken."
    }
    return nil
  }
}

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
