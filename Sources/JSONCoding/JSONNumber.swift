// SPDX-License-Identifier: Apache-2.0

/// A JSON number that keeps all its digits ([RFC 8259 § 6](https://www.rfc-editor.org/rfc/rfc8259.html#section-6)).
///
/// Two numbers are equal if their texts are equal: `1.0` does not equal `1`.
public struct JSONNumber: Sendable, Hashable {
  /// The number as JSON text.
  public let text: String

  /// Creates a number from an integer.
  public init(_ value: Int) { text = String(value) }

  /// Creates a number from a 64-bit integer.
  public init(_ value: Int64) { text = String(value) }

  /// Creates a number from a floating-point value, or `nil` for infinities and NaN, which JSON does not have.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = "\(value)"
  }

  init(unchecked text: String) { self.text = text }

  /// The value as an integer, or `nil` if it has a fraction or does not fit into `Int`.
  ///
  /// A text that is not an integer of this range, such as `1.0` or `1e3`, is first rounded to ``double``.
  public var integer: Int? { Int(text) ?? Int(exactly: double) }

  /// The nearest floating-point value, or infinity beyond its range.
  public var double: Double { Double(text) ?? .infinity }
}
