// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// A path below `calendar/v3/`.
///
/// Every interpolated identifier is escaped as one segment.
struct RequestPath: Sendable, ExpressibleByStringInterpolation {
  /// The path, or `nil` if an identifier cannot be a segment.
  let escaped: String?

  init(stringLiteral value: String) { escaped = value }

  init(stringInterpolation: StringInterpolation) { escaped = stringInterpolation.path }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var path: String? = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { path?.append(literal) }

    mutating func appendInterpolation(_ id: String) {
      guard let segment = FormEncoding.pathSegment(id) else {
        path = nil
        return
      }
      path?.append(segment)
    }
  }
}

/// The query parameters of a request that are set.
struct QueryItems: Sendable, Hashable {
  var fields = FormFields()

  mutating func append(_ name: String, _ value: String?) {
    if let value { fields.append(name, value) }
  }

  mutating func append(_ name: String, _ value: Int?) { append(name, value.map { String($0) }) }

  mutating func append(_ name: String, _ value: Bool?) { append(name, value.map { $0 ? "true" : "false" }) }

  mutating func append(_ name: String, _ value: Timestamp?) { append(name, value?.description) }

  mutating func append(_ name: String, _ value: (some OpenEnumeration)?) { append(name, value?.rawValue) }

  mutating func append(_ name: String, _ values: [String]) {
    for value in values { fields.append(name, value) }
  }

  mutating func append(_ name: String, _ values: [some OpenEnumeration]) { append(name, values.map(\.rawValue)) }
}

/// The optional query parameters of a method that has many.
protocol QueryParameters: Sendable, Hashable {
  /// Appends the parameters that are set.
  func append(to items: inout QueryItems)
}
