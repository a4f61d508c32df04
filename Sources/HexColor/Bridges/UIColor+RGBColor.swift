// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  public import UIKit

  extension UIColor {
    /// Creates a colour in the sRGB space.
    public convenience init(_ color: RGBColor) {
      let (red, green, blue, opacity) = color.components
      self.init(red: red, green: green, blue: blue, alpha: opacity)
    }

    /// Returns the colour read by ``RGBColor/init(hex:)-(String)``, or `fallback` if the text is `nil` or not a colour.
    ///
    /// The fallback is returned unchanged, including a dynamic colour or a pattern.
    ///
    /// ```swift
    /// cell.backgroundColor = .hex("#9fe1e7", default: .systemBackground)
    /// ```
    public static func hex(_ text: String?, default fallback: UIColor) -> UIColor {
      guard let text, let color = try? RGBColor(hex: text) else { return fallback }
      return UIColor(color)
    }
  }

  extension RGBColor {
    /// Creates a colour from a UIKit colour.
    ///
    /// A dynamic colour is resolved with the current traits.
    ///
    /// Components outside the sRGB space are clamped to it.
    ///
    /// - Returns: `nil` for a colour without components, such as a pattern.
    public init?(_ color: UIColor) {
      var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
      // The pointers are valid for the call, which sets each to one number.
      guard unsafe color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
      self.init(red: red, green: green, blue: blue, opacity: alpha)
    }
  }
#endif
