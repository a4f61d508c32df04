// SPDX-License-Identifier: Apache-2.0

/// A JSON number with every digit it was written with ([RFC 8259 § 6](https://www.rfc-editor.org/rfc/rfc8259.html#section-6)).
///
/// Two numbers are equal when they are written alike: `1.0` is not `1`.
public struct JSONNumber: Sendable, Hashable {
  /// The number as JSON writes it.
  public let text: String

  /// Creates a number from an integer.
  public init(_ value: Int) { text = String(value) }

  /// Creates a number from a 64-bit integer.
  public init(_ value: Int64) { text = String(value) }

  /// Creates a number from a floating-point value; `nil` for infinities and NaN, which JSON cannot write.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = "\(value)"
  }

  init(unchecked text: String) { self.text = text }

  /// The value, or `nil` when it is not a whole number or does not fit.
  public var integer: Int? { Int(text) ?? Int(exactly: double) }

  /// The nearest floating-point value; infinite beyond its range.
  public var double: Double { Double(text) ?? .infinity }
}
