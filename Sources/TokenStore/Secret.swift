// SPDX-License-Identifier: Apache-2.0

import Support

/// A confidential string: a token, a client secret, a code verifier.
///
/// Descriptions, dumps and interpolations show `<redacted>`. A comparison takes the same time wherever the values differ. Every
/// access to the value is visible in the source, as ``reveal()``.
public struct Secret: Sendable, Hashable {
  private let value: String

  /// Wraps a value.
  public init(_ value: String) { self.value = value }

  /// Returns the value, for use in a request or a storage only.
  public func reveal() -> String { value }

  /// Whether the value is the empty string.
  public var isEmpty: Bool { value.isEmpty }

  /// Compares all bytes, even after the first difference.
  public static func == (left: Secret, right: Secret) -> Bool { ConstantTime.equal(left.value, right.value) }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>`.
  public var description: String { "<redacted>" }
  /// `<redacted>`.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
