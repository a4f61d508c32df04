// SPDX-License-Identifier: Apache-2.0

/// A string with well-known values, to which a server may add others at any time.
///
/// The values known today are static members. Compare with them, and keep a `default` in a `switch`: a value that this
/// version does not know is kept as it is, and written back unchanged.
public protocol OpenEnumeration: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
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
