// SPDX-License-Identifier: Apache-2.0

/// A string with known values, of which the server may add more: a value that this version does not know is kept as it
/// is, and written back unchanged.
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
