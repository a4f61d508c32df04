// SPDX-License-Identifier: Apache-2.0

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension NSColor {
    /// Creates a colour in the sRGB space.
    public convenience init(_ color: RGBColor) {
      let (red, green, blue, opacity) = color.components
      self.init(srgbRed: red, green: green, blue: blue, alpha: opacity)
    }

    /// Returns the colour that ``RGBColor/init(hex:)-(String)`` reads, and `fallback` itself, be it dynamic or a pattern,
    /// when there is none or it cannot be read.
    ///
    /// ```swift
    /// row.backgroundColor = .hex(entry.backgroundColor, default: .windowBackgroundColor)
    /// ```
    public static func hex(_ text: String?, default fallback: NSColor) -> NSColor {
      guard let text, let color = try? RGBColor(hex: text) else { return fallback }
      return NSColor(color)
    }
  }

  extension RGBColor {
    /// Takes over a colour, as it looks in the current appearance if it is a dynamic one.
    ///
    /// Outside the sRGB space it becomes the nearest that there is.
    ///
    /// - Returns: `nil` for what has no components, such as a pattern.
    public init?(_ color: NSColor) {
      guard let color = color.usingColorSpace(.sRGB) else { return nil }
      self.init(
        red: color.redComponent, green: color.greenComponent, blue: color.blueComponent, opacity: color.alphaComponent)
    }
  }
#endif
