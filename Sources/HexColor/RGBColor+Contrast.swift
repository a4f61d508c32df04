// SPDX-License-Identifier: Apache-2.0

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
