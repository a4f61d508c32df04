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
    guard case .json(let json) = body, let body = try? JSONValue(json: json) else { return nil }
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
