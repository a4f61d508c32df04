// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  extension Color {
    /// Creates a colour in the sRGB space.
    public init(_ color: RGBColor) {
      let (red, green, blue, opacity) = color.components
      self.init(.sRGB, red: red, green: green, blue: blue, opacity: opacity)
    }

    /// Returns the colour that ``RGBColor/init(hex:)-(String)`` reads, and `fallback` when there is none or it cannot be read.
    ///
    /// ```swift
    /// Text(entry.title).listRowBackground(Color.hex(entry.backgroundColor, default: .accentColor))
    /// ```
    public static func hex(_ text: String?, default fallback: Color) -> Color {
      guard let text, let color = try? RGBColor(hex: text) else { return fallback }
      return Color(color)
    }
  }

  extension RGBColor {
    /// Takes over a colour as it looks in `environment`.
    ///
    /// Outside the sRGB space it becomes the nearest that there is.
    public init(_ color: Color, in environment: EnvironmentValues = EnvironmentValues()) {
      let color = color.resolve(in: environment)
      self.init(
        red: Double(color.red), green: Double(color.green), blue: Double(color.blue), opacity: Double(color.opacity))
    }
  }
#endif
