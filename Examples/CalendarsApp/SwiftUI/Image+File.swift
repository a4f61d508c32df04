// SPDX-License-Identifier: Apache-2.0

import ImageIO
import SwiftUI

nonisolated extension Image {
  /// Decodes the bytes of an image file, on iOS and macOS.
  ///
  /// - Returns: The image, or `nil` if the system does not support the format.
  init?(file: Data) {
    guard let source = CGImageSourceCreateWithData(file as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { return nil }
    self.init(decorative: image, scale: 1)
  }
}
