// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// The limits of a method's requests, for detecting values the server would ignore, truncate or reject.
struct RequestLimits: Sendable {
  /// The limits of numbers in the query.
  let parameters: [ParameterLimit]
  /// The limits of the fields of a body.
  let fields: [FieldLimit]
  /// The rules for a body in addition to the limits of its fields, in the order of the checks.
  let rules: [BodyRule]
  /// The rules for parameters with a sync token, or `nil` for a method without sync tokens.
  let sync: SyncRules?

  init(
    parameters: [ParameterLimit] = [], fields: [FieldLimit] = [], rules: [BodyRule] = [], sync: SyncRules? = nil
  ) {
    self.parameters = parameters
    self.fields = fields
    self.rules = rules
    self.sync = sync
  }

  /// The limits common to all methods.
  static let none = RequestLimits()
}

extension RequestLimits {
  /// Returns a message about the first limit that a request exceeds and its remedy, or `nil` if it exceeds none.
  func problem(of query: QueryItems, _ body: CalendarRequestBody) -> String? {
    if let quotaUser = query.fields["quotaUser"], quotaUser.codePointCount > 40 {
      return "quotaUser can have at most 40 characters."
    }
    if let problem = parameters.lazy.compactMap({ $0.problem(of: query) }).first { return problem }
    if let problem = sync?.problem(of: query) { return problem }
    guard let body = body.json else { return nil }
    return rules.lazy.compactMap { $0.problem(body, query) }.first
      ?? fields.lazy.compactMap { $0.problem(of: body) }.first
  }
}

/// The rules for the parameters of a request with a sync token.
struct SyncRules: Sendable {
  let mustNotCombine: [String]
  let mustNotBeFalse: [String]

  /// Returns a message about the first parameter not allowed with a sync token, or `nil` if there is none.
  fileprivate func problem(of query: QueryItems) -> String? {
    guard query.fields["syncToken"] != nil else { return nil }
    if let parameter = mustNotCombine.first(where: { query.fields[$0] != nil }) {
      return "\(parameter) cannot be combined with syncToken. Omit one of them."
    }
    if let parameter = mustNotBeFalse.first(where: { query.fields[$0] == "false" }) {
      return "\(parameter) cannot be false with syncToken."
    }
    return nil
  }
}

/// A limit of a field of a body.
struct FieldLimit: Sendable {
  /// The kind and value of a limit.
  enum Bound: Sendable {
    case elements(Int)
    case characters(Int)
    case value(ClosedRange<Int>)
  }

  private let path: [String]
  private let bound: Bound

  /// Creates a limit.
  ///
  /// - Parameter path: The path of names to the field, separated by dots. They continue through the elements of arrays.
  init(_ path: String, _ bound: Bound) {
    self.path = path.split(separator: ".").map(String.init)
    self.bound = bound
  }

  /// Returns a message about the limit a body exceeds, or `nil` if it exceeds none.
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
      return "\(name) can have at most \(limit) elements, not \(count)."
    case .characters(let limit):
      guard let count = value.string?.codePointCount, count > limit else { return nil }
      return "\(name) can have at most \(limit) characters, not \(count)."
    case .value(let range): return value.number?.integer.flatMap { range.problem(of: $0, name) }
    }
  }
}

extension String {
  /// The number of Unicode code points, the unit for limits of characters.
  ///
  /// An emoji can have several code points. A text never has fewer UTF-16 code units than code points. A text over a
  /// limit in code points is therefore also over it in code units, whichever of the two the server counts.
  var codePointCount: Int { unicodeScalars.count }
}

/// A limit of a numeric query parameter.
struct ParameterLimit: Sendable {
  private let name: String
  private let range: ClosedRange<Int>

  /// Creates a limit.
  init(_ name: String, _ range: ClosedRange<Int>) {
    self.name = name
    self.range = range
  }

  /// Returns a message about the limit a query exceeds, or `nil` if it exceeds none.
  func problem(of query: QueryItems) -> String? {
    query.fields[name].flatMap { Int($0) }.flatMap { range.problem(of: $0, name) }
  }
}

extension ClosedRange<Int> {
  /// Returns a message about a value outside of the range, or `nil` if it is inside.
  fileprivate func problem(of value: Int, _ name: String) -> String? {
    if contains(value) { return nil }
    return value < lowerBound
      ? "\(name) must be at least \(lowerBound), not \(value)." : "\(name) must be at most \(upperBound), not \(value)."
  }
}
