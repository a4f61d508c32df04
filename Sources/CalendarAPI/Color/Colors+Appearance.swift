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

    /// Creates a pair of colours, with black or white in place of a foreground whose contrast is below 4.5.
    init(background: RGBColor, readable foreground: RGBColor?) {
      // On every background, black or white has a contrast of at least 4.58.
      let isReadable = foreground.map { background.contrastRatio(with: $0) >= 4.5 } ?? false
      self.init(background: background, foreground: isReadable ? foreground : nil)
    }

    /// Black on white.
    public static let plain = Appearance(background: .white, foreground: .black)

    /// Creates the colours of a definition, with a foreground that can be read; `nil` if it has no background.
    ///
    /// If the contrast of its own foreground is below 4.5, black or white takes its place.
    public init?(_ definition: ColorDefinition) {
      guard let background = definition.background else { return nil }
      self.init(background: background, readable: definition.foreground)
    }
  }
}
