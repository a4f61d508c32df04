// SPDX-License-Identifier: Apache-2.0

import HexColor

/// Tests that any bytes are parsed like by a plain parser, and that a colour survives writing and parsing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The fuzzer lends `count` bytes, and the address sanitizer guards their ends.
  let input = unsafe UnsafeBufferPointer(start: start, count: count)
  let color = try? RGBColor(hex: unsafe input.span)
  precondition(color == PlainRGBColor.read(Array(input)))
  if let color { precondition((try? RGBColor(hex: color.hex)) == color) }
  let text = String(decoding: input, as: UTF8.self)
  if text.utf8.elementsEqual(input) { precondition((try? RGBColor(hex: text)) == color) }
  return 0
}
