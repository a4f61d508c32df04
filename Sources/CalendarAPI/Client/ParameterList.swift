// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// The query parameters of a method.
protocol QueryParameters: Sendable {
  /// Shows every parameter to `parameter`, which keeps those that are set.
  func visitParameters(_ parameter: inout ParameterList)
}

/// The parameters of a method that has none.
struct NoParameters: QueryParameters {
  func visitParameters(_: inout ParameterList) {}
}

/// Collects the parameters that are set.
struct ParameterList: Sendable {
  private(set) var fields = FormFields()

  init(_ parameters: any QueryParameters) { parameters.visitParameters(&self) }

  mutating func callAsFunction(_ name: String, _ value: String?) {
    if let value { fields.append(name, value) }
  }

  mutating func callAsFunction(_ name: String, _ value: Int?) { self(name, value.map { String($0) }) }

  mutating func callAsFunction(_ name: String, _ value: Bool?) { self(name, value.map { $0 ? "true" : "false" }) }

  mutating func callAsFunction(_ name: String, _ value: Timestamp?) { self(name, value?.description) }

  mutating func callAsFunction(_ name: String, _ value: (some OpenEnumeration)?) { self(name, value?.rawValue) }

  mutating func callAsFunction(_ name: String, _ values: [String]) {
    for value in values { fields.append(name, value) }
  }

  mutating func callAsFunction(_ name: String, _ values: [some OpenEnumeration]) { self(name, values.map(\.rawValue)) }
}
