// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

/// Escapes that are halves of a character, first and last of each kind, and their neighbours.
@Suite struct SurrogatePairTests {
  @Test(arguments: [
    (#"\ud800\udc00"#, "\u{10000}"), (#"\udbff\udfff"#, "\u{10FFFF}"), (#"\uD83D\uDE00"#, "\u{1F600}"),
    (#"\ud7ff\udc00"#, "\u{D7FF}\u{FFFD}"), (#"\ud800\udbff"#, "\u{FFFD}\u{FFFD}"),
    (#"\ud800\ue000"#, "\u{FFFD}\u{E000}"),
    (#"\udc00\udc00"#, "\u{FFFD}\u{FFFD}"), (#"\udfff\ud800"#, "\u{FFFD}\u{FFFD}"),
    (#"\ue000\udc00"#, "\u{E000}\u{FFFD}"),
    (#"\ud800"#, "\u{FFFD}"), (#"\ud800x"#, "\u{FFFD}x"), (#"\ud800\n"#, "\u{FFFD}\n"),
    (#"\ud800\\dc00"#, "\u{FFFD}\\dc00"),
    (#"\ud800\ud800\udc00"#, "\u{FFFD}\u{10000}"), (#"\ue000"#, "\u{E000}"), (#"\ud7ff"#, "\u{D7FF}"),
  ])
  func halvesAreJoinedOrReplaced(_ escapes: String, _ text: String) throws {
    #expect(try JSONValue(json: Array("\"\(escapes)\"".utf8)) == .string(text))
    // As the name of a member, too.
    let object = try JSONValue(json: Array("{\"\(escapes)\":1}".utf8))
    #expect(object == .object([text: 1]))
  }
}
