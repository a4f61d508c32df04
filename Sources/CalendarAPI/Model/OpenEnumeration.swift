// SPDX-License-Identifier: Apache-2.0

/// An enumeration of strings to which the server may add values.
///
/// Unknown values are preserved.
public protocol OpenEnumeration: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible, Codable
where RawValue == String {
  /// Creates a value from its name in the API.
  init(rawValue: String)
}

extension OpenEnumeration {
  /// Creates a value from its name in the API.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The name in the API.
  public var description: String { rawValue }
}
