// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// Tests that any bytes are escaped and decoded as the standards define, and survive both.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The fuzzer lends `count` bytes, and the address sanitizer guards their ends.
  let input = unsafe UnsafeBufferPointer(start: start, count: count)
  let bytes = Array(input)
  for encoding in [FormEncoding.form, .query] {
    var escaped: [UInt8] = []
    encoding.append(unsafe input.span, to: &escaped)
    precondition(escaped == PlainFormEncoding.write(bytes, encoding))
    let text = String(decoding: input, as: UTF8.self)
    precondition(encoding.decodeComponent(escaped.span).utf8.elementsEqual(text.utf8))
  }
  let fields = FormEncoding.form.decode(unsafe input.span)
  let expected = PlainFormEncoding.read(bytes)
  precondition(fields.count == expected.count)
  for (field, pair) in zip(fields, expected) {
    precondition(field.name.utf8.elementsEqual(pair.name.utf8) && field.value.utf8.elementsEqual(pair.value.utf8))
  }
  precondition(FormEncoding.form.decode(FormEncoding.form.encode(fields)) == fields)
  return 0
}
