// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// A path below `calendar/v3/`, in which every interpolated identifier is escaped to be one segment.
struct RequestPath: Sendable, ExpressibleByStringInterpolation {
  /// The path, or `nil` when an id cannot be a segment.
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
