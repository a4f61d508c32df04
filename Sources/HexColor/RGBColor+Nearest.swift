// SPDX-License-Identifier: Apache-2.0

extension RGBColor {
  /// Returns the index of the most similar colour of the palette, without regard to opacity, or `nil` if the palette is
  /// empty.
  ///
  /// Of equally similar colours, the first one is returned.
  package func nearestIndex(in palette: [RGBColor]) -> Int? {
    palette.indices.min { distance(to: palette[$0]) < distance(to: palette[$1]) }
  }

  /// Returns the square of a distance that weights the channels by the eye's sensitivity, which depends on the mean of the reds.
  private func distance(to other: RGBColor) -> Int {
    let (red, green, blue) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    let mean = (Int(self.red) + Int(other.red)) / 2
    return (512 + mean) * red * red + 1024 * green * green + (767 - mean) * blue * blue
  }
}
