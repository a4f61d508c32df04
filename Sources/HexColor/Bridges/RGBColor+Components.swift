// SPDX-License-Identifier: Apache-2.0

extension RGBColor {
  /// Creates a colour from components of 0 to 1, as the systems' colours have them.
  ///
  /// What is outside, as in a wider colour space, becomes the nearest that there is; what is not a number becomes 0.
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
    // Half is added and the rest cut off: `rounded()` would need the mathematics library, which a program that takes this
    // module alone is not linked with.
    return component > 0 ? UInt8(component * 255 + 0.5) : 0
  }
}
