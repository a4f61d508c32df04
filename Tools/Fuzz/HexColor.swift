// SPDX-License-Identifier: Apache-2.0

import HexColor

/// Tests that any bytes are parsed like by a plain parser, and that a colour survives writing and parsing.
func fuzz(_ input: [UInt8]) {
  let color = try? RGBColor(hex: input.span)
  precondition(color == PlainRGBColor.read(input))
  if let color { precondition((try? RGBColor(hex: color.hex)) == color) }
  let text = String(decoding: input, as: UTF8.self)
  if text.utf8.elementsEqual(input) { precondition((try? RGBColor(hex: text)) == color) }
}
