// SPDX-License-Identifier: Apache-2.0

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension NSColor {
    /// Creates a colour in the sRGB space.
    public convenience init(_ color: RGBColor) {
      let (red, green, blue, opacity) = color.components
      self.init(srgbRed: red, green: green, blue: blue, alpha: opacity)
    }

    /// Returns the colour read by ``RGBColor/init(hex:)-(String)``, or `fallback` if the text is `nil` or not a colour.
    ///
    /// The fallback is returned unchanged, including a dynamic colour or a pattern.
    ///
    /// ```swift
    /// row.backgroundColor = .hex("#9fe1e7", default: .windowBackgroundColor)
    /// ```
    public static func hex(_ text: String?, default fallback: NSColor) -> NSColor {
      guard let text, let color = try? RGBColor(hex: text) else { return fallback }
      return NSColor(color)
    }
  }

  extension RGBColor {
    /// Creates a colour from an AppKit colour.
    ///
    /// A dynamic colour is resolved in the current appearance.
    ///
    /// Components outside the sRGB space are clamped to it.
    ///
    /// - Returns: `nil` for a colour without components, such as a pattern.
    public init?(_ color: NSColor) {
      guard let color = color.usingColorSpace(.sRGB) else { return nil }
      self.init(
        red: color.redComponent, green: color.greenComponent, blue: color.blueComponent, opacity: color.alphaComponent)
    }
  }
#endif
