// SPDX-License-Identifier: Apache-2.0

/// The picture of users who have none of their own: head and shoulders on a disc, in a format that every platform decodes.
enum Avatar {
  static let png = PNG(
    side: 192,
    palette: [(0, 0, 0, 0), (0x16, 0xA7, 0x65, 0xFF), (0x1D, 0x1D, 0x1D, 0xFF)]
  ) { column, row in
    let isInside = { (y: Int, width: Int, height: Int) in
      let (x, y) = (column - 96, row - y)
      return x * x * height * height + y * y * width * width < width * width * height * height
    }
    if !isInside(96, 96, 96) { return 0 }
    return isInside(74, 34, 34) || isInside(176, 62, 58) ? 2 : 1
  }.bytes
}
