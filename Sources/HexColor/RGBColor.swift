// SPDX-License-Identifier: Apache-2.0

/// A colour of 8 bits a channel in the sRGB space, with the opacity it was written with.
///
/// ```swift
/// let background = RGBColor(hex: entry.backgroundColor, default: .white)
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
  /// Defaults to opaque.
  @inlinable
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `#ffffff`.
  @inlinable public static var white: RGBColor { RGBColor(red: 255, green: 255, blue: 255) }
  /// `#000000`.
  @inlinable public static var black: RGBColor { RGBColor(red: 0, green: 0, blue: 0) }
}

extension RGBColor {
  /// Reads a colour as CSS writes it: `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`
  /// ([CSS Color 4 § 5.2](https://www.w3.org/TR/css-color-4/#hex-notation)).
  ///
  /// The number sign may be missing, letters may be of either case, and ASCII whitespace around the colour is ignored.
  /// With three or six digits the colour is opaque.
  ///
  /// - Throws: ``ParseError``, which says what is wrong and at which UTF-8 offset.
  public init(hex: borrowing String) throws(ParseError) {
    // A native string lends its bytes; `nil` means a bridged one, which has to be copied first.
    let digits = unsafe hex.utf8.withContiguousStorageIfAvailable { unsafe HexDigits.read($0.span) }
    let known = digits ?? HexDigits.readTrimmed(Array(hex.utf8).span)
    guard known < HexDigits.fault else { throw ParseError(in: hex.utf8) }
    self.init(known)
  }

  /// Reads a colour from a part of a string; see ``init(hex:)-(String)``.
  ///
  /// Offsets count from the start of the part.
  public init(hex: borrowing Substring) throws(ParseError) {
    let digits = unsafe hex.utf8.withContiguousStorageIfAvailable { unsafe HexDigits.read($0.span) }
    let known = digits ?? HexDigits.readTrimmed(Array(hex.utf8).span)
    guard known < HexDigits.fault else { throw ParseError(in: hex.utf8) }
    self.init(known)
  }

  /// Reads a colour from ASCII bytes; see ``init(hex:)-(String)``.
  @inlinable @inline(__always)
  public init(hex: Span<UInt8>) throws(ParseError) {
    let digits = HexDigits.read(hex)
    guard digits < HexDigits.fault else { throw ParseError(in: hex) }
    self.init(digits)
  }

  /// Reads a colour from ASCII bytes, and takes `fallback` if it cannot be read.
  @inlinable @inline(__always)
  public init(hex: Span<UInt8>, default fallback: RGBColor) {
    let digits = HexDigits.read(hex)
    self = digits < HexDigits.fault ? RGBColor(digits) : fallback
  }

  /// Reads a colour, and takes `fallback` when there is none or it cannot be read.
  public init(hex: borrowing String?, default fallback: RGBColor) {
    switch hex {
    case .some(let hex):
      let digits = unsafe hex.utf8.withContiguousStorageIfAvailable { unsafe HexDigits.read($0.span) }
      let known = digits ?? HexDigits.readTrimmed(Array(hex.utf8).span)
      self = known < HexDigits.fault ? RGBColor(known) : fallback
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
  /// `#rrggbb`, and `#rrggbbaa` when the colour is not opaque.
  public var hex: String {
    let length = alpha == 255 ? 7 : 9
    return unsafe String(unsafeUninitializedCapacity: length) { buffer in
      let digits = HexDigits.text(of: self)
      // `length` bytes were requested: one for the number sign and at most eight for the digits.
      unsafe buffer[0] = UInt8(ascii: "#")
      for index in 1..<length { unsafe buffer[index] = UInt8(truncatingIfNeeded: digits >> (8 * (index - 1))) }
      return length
    }
  }

  /// The same as ``hex``.
  public var description: String { hex }

  /// Appends what ``hex`` returns, without a string in between.
  public func appendHex(to buffer: inout [UInt8]) {
    let digits = HexDigits.text(of: self)
    buffer.append(UInt8(ascii: "#"))
    for index in 0..<(alpha == 255 ? 6 : 8) { buffer.append(UInt8(truncatingIfNeeded: digits >> (8 * index))) }
  }
}

extension RGBColor: Codable {
  /// Reads the colour from a single string; see ``init(hex:)-(String)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      self = try RGBColor(hex: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  /// Writes ``hex``, a single string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}

extension RGBColor {
  /// How bright the colour looks, 0 (black) to 1 (white), its opacity left aside
  /// ([WCAG 2.2, relative luminance](https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)).
  public var relativeLuminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Returns how well two colours can be distinguished, 1 (the same) to 21 (black and white)
  /// ([WCAG 2.2, contrast ratio](https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)).
  ///
  /// Text wants at least 4.5.
  public func contrastRatio(with other: RGBColor) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Black or white, whichever is easier to read on this colour.
  public var readableForeground: RGBColor {
    contrastRatio(with: .black) >= contrastRatio(with: .white) ? .black : .white
  }

  /// The linear light of an sRGB channel: 0 to 1.
  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    if value <= 0.04045 { return value / 12.92 }
    // The standard's base ^ 2.4 is base² · ⁵√(base²). Newton's method finds the root without a mathematics library; from
    // 1 it falls on the smallest base, 0.09, in ten steps to the last bit but one.
    let base = (value + 0.055) / 1.055
    let square = base * base
    var root = 1.0
    for _ in 0..<12 { root -= (root - square / (root * root * root * root)) / 5 }
    return square * root
  }
}
