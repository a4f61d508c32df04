// SPDX-License-Identifier: Apache-2.0

/// A colour in the sRGB space with 8 bits for each channel, including opacity.
///
/// ```swift
/// let background = RGBColor(hex: "#9fe1e7", default: .white)
/// print(background, background.readableForeground)        // #9fe1e7 #000000
/// ```
public struct RGBColor: Sendable, Hashable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// Opacity, 0 (invisible) to 255 (opaque).
  public var alpha: UInt8

  /// Creates a colour from its channels.
  ///
  /// - Parameters:
  ///   - red: Red, 0 to 255.
  ///   - green: Green, 0 to 255.
  ///   - blue: Blue, 0 to 255.
  ///   - alpha: Opacity, 0 to 255. Defaults to opaque.
  @inlinable
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// White: `#ffffff`.
  @inlinable public static var white: RGBColor { RGBColor(red: 255, green: 255, blue: 255) }
  /// Black: `#000000`.
  @inlinable public static var black: RGBColor { RGBColor(red: 0, green: 0, blue: 0) }
}

extension RGBColor {
  /// Reads a colour in CSS notation: `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`
  /// ([CSS Color 4 § 5.2](https://www.w3.org/TR/css-color-4/#hex-notation)).
  ///
  /// The number sign is optional, letters may be upper or lower case, and surrounding ASCII whitespace is ignored.
  /// A colour of three or six digits is opaque.
  ///
  /// - Throws: ``ParseError`` with the problem and its UTF-8 offset.
  @inlinable @inline(__always)
  public init(hex: borrowing String) throws(ParseError) {
    let digits = HexDigits.read(hex)
    guard digits < HexDigits.fault else { throw ParseError(in: hex) }
    self.init(digits)
  }

  /// Reads a colour from a part of a string.
  ///
  /// See ``init(hex:)-(String)``.
  ///
  /// Offsets count from the start of the part.
  @inlinable @inline(__always)
  public init(hex: borrowing Substring) throws(ParseError) {
    let digits = HexDigits.read(hex)
    guard digits < HexDigits.fault else { throw ParseError(in: hex) }
    self.init(digits)
  }

  /// Reads a colour from ASCII bytes.
  ///
  /// See ``init(hex:)-(String)``.
  @inlinable @inline(__always)
  public init(hex: Span<UInt8>) throws(ParseError) {
    let digits = HexDigits.read(hex)
    guard digits < HexDigits.fault else { throw ParseError(in: hex) }
    self.init(digits)
  }

  /// Reads a colour from ASCII bytes, or uses `fallback` if they are not a colour.
  @inlinable @inline(__always)
  public init(hex: Span<UInt8>, default fallback: RGBColor) {
    let digits = HexDigits.read(hex)
    self = digits < HexDigits.fault ? RGBColor(digits) : fallback
  }

  /// Reads a colour, or uses `fallback` if the text is `nil` or not a colour.
  public init(hex: borrowing String?, default fallback: RGBColor) {
    switch hex {
    case .some(let hex):
      let digits = HexDigits.read(hex)
      self = digits < HexDigits.fault ? RGBColor(digits) : fallback
    case .none: self = fallback
    }
  }

  @inlinable @inline(__always)
  init(_ digits: UInt64) {
    self.init(
      red: UInt8(truncatingIfNeeded: digits), green: UInt8(truncatingIfNeeded: digits >> 8),
      blue: UInt8(truncatingIfNeeded: digits >> 16), alpha: UInt8(truncatingIfNeeded: digits >> 24))
  }
}

extension RGBColor: CustomStringConvertible {
  /// The colour as `#rrggbb`, or as `#rrggbbaa` if it is not opaque.
  public var hex: String {
    let length = alpha == 255 ? 7 : 9
    return unsafe String(unsafeUninitializedCapacity: length) { buffer in
      let digits = HexDigits.text(of: self)
      // The buffer has `length` bytes: one for the number sign and six or eight for the digits.
      unsafe buffer[0] = UInt8(ascii: "#")
      for index in 1..<length { unsafe buffer[index] = UInt8(truncatingIfNeeded: digits >> (8 * (index - 1))) }
      return length
    }
  }

  /// The same as ``hex``.
  public var description: String { hex }

  /// Appends the bytes of ``hex`` without creating a string.
  public func appendHex(to buffer: inout [UInt8]) {
    let digits = HexDigits.text(of: self)
    buffer.append(UInt8(ascii: "#"))
    for index in 0..<(alpha == 255 ? 6 : 8) { buffer.append(UInt8(truncatingIfNeeded: digits >> (8 * index))) }
  }
}

extension RGBColor: Codable {
  /// Reads the colour from a single string.
  ///
  /// See ``init(hex:)-(String)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try RGBColor(hex: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Writes ``hex`` as a single string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}

extension RGBColor {
  /// The relative luminance, from 0 (black) to 1 (white), without regard to opacity
  /// ([WCAG 2.2, relative luminance](https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)).
  public var relativeLuminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Returns the contrast ratio of two colours, from 1 (equal luminance) to 21 (black and white)
  /// ([WCAG 2.2, contrast ratio](https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)).
  ///
  /// Text of normal size needs at least 4.5 (level AA).
  public func contrastRatio(with other: RGBColor) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Black or white, whichever has the higher contrast with this colour.
  public var readableForeground: RGBColor {
    contrastRatio(with: .black) >= contrastRatio(with: .white) ? .black : .white
  }

  /// Returns the linear light of an sRGB channel, 0 to 1.
  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    if value <= 0.04045 { return value / 12.92 }
    // The standard's base ^ 2.4 is base² · ⁵√(base²). Newton's method finds the root without a mathematics library. Nine steps from
    // 1 have an error of at most one unit in the last place, even for the smallest base, 0.09.
    let base = (value + 0.055) / 1.055
    let square = base * base
    var root = 1.0
    for _ in 0..<12 { root -= (root - square / (root * root * root * root)) / 5 }
    return square * root
  }
}
