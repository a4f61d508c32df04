// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// Tests that any bytes are escaped and decoded as the standards define, and survive both.
func fuzz(_ input: [UInt8]) {
  for encoding in [FormEncoding.form, .query] {
    var escaped: [UInt8] = []
    encoding.append(input.span, to: &escaped)
    precondition(escaped == PlainFormEncoding.write(input, encoding))
    let text = String(decoding: input, as: UTF8.self)
    precondition(encoding.decodeComponent(escaped.span).utf8.elementsEqual(text.utf8))
  }
  let fields = FormEncoding.form.decode(input.span)
  let expected = PlainFormEncoding.read(input)
  precondition(fields.count == expected.count)
  for (field, pair) in zip(fields, expected) {
    precondition(field.name.utf8.elementsEqual(pair.name.utf8) && field.value.utf8.elementsEqual(pair.value.utf8))
  }
  precondition(FormEncoding.form.decode(FormEncoding.form.encode(fields)) == fields)
}
