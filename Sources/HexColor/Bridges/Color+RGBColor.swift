// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  extension Color {
    /// Creates a colour in the sRGB space.
    public init(_ color: RGBColor) {
      let (red, green, blue, opacity) = color.components
      self.init(.sRGB, red: red, green: green, blue: blue, opacity: opacity)
    }

    /// Returns the colour read by ``RGBColor/init(hex:)-(String)``, or `fallback` if the text is `nil` or not a colour.
    ///
    /// ```swift
    /// Text("Lunch").listRowBackground(Color.hex("#9fe1e7", default: .accentColor))
    /// ```
    public static func hex(_ text: String?, default fallback: Color) -> Color {
      guard let text, let color = try? RGBColor(hex: text) else { return fallback }
      return Color(color)
    }
  }

  extension RGBColor {
    /// Creates a colour from a SwiftUI colour, resolved in `environment`.
    ///
    /// Components outside the sRGB space are clamped to it.
    public init(_ color: Color, in environment: EnvironmentValues = EnvironmentValues()) {
      let color = color.resolve(in: environment)
      self.init(
        red: Double(color.red), green: Double(color.green), blue: Double(color.blue), opacity: Double(color.opacity))
    }
  }
#endif
