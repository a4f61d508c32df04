// SPDX-License-Identifier: Apache-2.0

import ImageIO
import SwiftUI

nonisolated extension Image {
  /// Decodes the bytes of an image's file, on iOS and macOS alike.
  ///
  /// - Returns: `nil` if they are not an image of a format that the system reads.
  init?(file: Data) {
    guard let source = CGImageSourceCreateWithData(file as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { return nil }
    self.init(decorative: image, scale: 1)
  }
}
