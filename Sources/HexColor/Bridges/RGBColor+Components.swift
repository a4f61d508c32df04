// SPDX-License-Identifier: Apache-2.0

extension RGBColor {
  /// Creates a colour from components between 0 and 1, the form of the platforms' colours.
  ///
  /// Values outside this range, as in a wider colour space, are clamped to it. NaN becomes 0.
  package init(red: Double, green: Double, blue: Double, opacity: Double) {
    self.init(
      red: Self.channel(red), green: Self.channel(green), blue: Self.channel(blue), alpha: Self.channel(opacity))
  }

  /// Red, green, blue and opacity, 0 to 1.
  package var components: (red: Double, green: Double, blue: Double, opacity: Double) {
    (Double(red) / 255, Double(green) / 255, Double(blue) / 255, Double(alpha) / 255)
  }

  private static func channel(_ component: Double) -> UInt8 {
    if component >= 1 { return 255 }
    // Adding a half and truncating rounds the value. `rounded()` needs the mathematics library, which a program that imports
    // this module alone does not link.
    return component > 0 ? UInt8(component * 255 + 0.5) : 0
  }
}
