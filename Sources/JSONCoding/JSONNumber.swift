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

  /// The exact value as an integer, or `nil` if it has a fraction or does not fit into `Int`.
  ///
  /// `1.0` and `1e3` are integers.
  public var integer: Int? { integer64.flatMap { Int(exactly: $0) } }

  /// The exact value as a 64-bit integer, or `nil` if it has a fraction or does not fit into `Int64`.
  package var integer64: Int64? {
    if let value = Int64(text) { return value }
    let parts = text.split { $0 == "e" || $0 == "E" }
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.joined()
    if digits.allSatisfy({ $0 == "0" || $0 == "-" }) { return 0 }
    // No larger exponent leaves an integer that fits.
    guard let exponent = parts.count == 1 ? 0 : Int(parts[1]), exponent.magnitude < text.utf8.count + 19 else {
      return nil
    }
    var zeros = exponent - (mantissa.count == 1 ? 0 : mantissa[1].utf8.count)
    while zeros < 0, digits.last == "0" {
      digits.removeLast()
      zeros += 1
    }
    return zeros < 0 ? nil : Int64(digits + String(repeating: "0", count: zeros))
  }

  /// The nearest floating-point value, or infinity beyond its range.
  public var double: Double { Double(text) ?? .infinity }
}
