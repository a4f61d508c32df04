// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  public import UIKit

  extension UIColor {
    /// Creates a colour in the sRGB space.
    public convenience init(_ color: RGBColor) {
      let (red, green, blue, opacity) = color.components
      self.init(red: red, green: green, blue: blue, alpha: opacity)
    }

    /// Returns the colour that ``RGBColor/init(hex:)-(String)`` reads, and `fallback` itself, be it dynamic or a pattern,
    /// when there is none or it cannot be read.
    ///
    /// ```swift
    /// cell.backgroundColor = .hex(entry.backgroundColor, default: .systemBackground)
    /// ```
    public static func hex(_ text: String?, default fallback: UIColor) -> UIColor {
      guard let text, let color = try? RGBColor(hex: text) else { return fallback }
      return UIColor(color)
    }
  }

  extension RGBColor {
    /// Takes over a colour, as it looks in the current traits if it is a dynamic one.
    ///
    /// Outside the sRGB space it becomes the nearest that there is.
    ///
    /// - Returns: `nil` for what has no components, such as a pattern.
    public init?(_ color: UIColor) {
      var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
      // The pointers are valid for the call, which sets each to one number.
      guard unsafe color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
      self.init(red: red, green: green, blue: blue, opacity: alpha)
    }
  }
#endif
