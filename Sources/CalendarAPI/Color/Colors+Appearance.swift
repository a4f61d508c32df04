// SPDX-License-Identifier: Apache-2.0

public import HexColor

extension Colors {
  /// The colours to paint a calendar or an event with.
  public struct Appearance: Sendable, Hashable {
    /// The colour behind.
    public var background: RGBColor
    /// The colour to write with.
    public var foreground: RGBColor

    /// Creates a pair of colours.
    ///
    /// - Parameter foreground: The colour to write with. Defaults to black or white, whichever is easier to read.
    public init(background: RGBColor, foreground: RGBColor? = nil) {
      self.background = background
      self.foreground = foreground ?? background.readableForeground
    }

    /// Black on white.
    public static let plain = Appearance(background: .white, foreground: .black)

    init?(_ definition: ColorDefinition?) {
      guard let definition, let background = definition.background else { return nil }
      self.init(background: background, foreground: definition.foreground)
    }
  }
}
