// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Testing

/// Halves of a surrogate pair in an escaped string (RFC 8259 § 7 and § 8.2).
struct SurrogateTests {
  @Test(arguments: [
    (#"\uD83D\uDE00"#, "\u{1F600}", "a pair"), (#"\uD800\uDC00"#, "\u{10000}", "the first pair"),
    (#"\uDBFF\uDFFF"#, "\u{10FFFF}", "the last pair"), (#"\uD83D"#, "\u{FFFD}", "a high half at the end"),
    (#"\uD83Dx"#, "\u{FFFD}x", "a high half before a letter"),
    (#"\uD83D\u0041"#, "\u{FFFD}A", "a high half before another escape"),
    (#"\uD83D\uDBFF"#, "\u{FFFD}\u{FFFD}", "two high halves"),
    (#"\uD83D\uE000"#, "\u{FFFD}\u{E000}", "a high half before what follows the low halves"),
    (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}\u{1F600}", "a high half before a pair"),
    (#"\uD83D\n"#, "\u{FFFD}\n", "a high half before a short escape"),
    (#"\uD83D\nDE00"#, "\u{FFFD}\nDE00", "a high half before a short escape and what looks like a low half"),
    (#"\uDE00\uDE00"#, "\u{FFFD}\u{FFFD}", "two low halves"),
    (#"\uDE00"#, "\u{FFFD}", "a low half alone"), (#"\uDE00\uD83D"#, "\u{FFFD}\u{FFFD}", "a pair the wrong way round"),
    (#"\uD7FF"#, "\u{D7FF}", "the last before the halves"), (#"\uE000"#, "\u{E000}", "the first after the halves"),
  ])
  func halfThatStandsAloneIsReplacedAndWhatFollowsIsKept(_ escaped: String, _ text: String, _ reason: String) throws {
    #expect(try fields(of: #"{"a":"\#(escaped)"}"#)["a"] == .string(text), "\(reason)")
  }

  @Test(arguments: [#"\uD83D\u"#, #"\uD83D\u00"#, #"\uD83"#])
  func escapeThatIsCutIsAnError(_ escaped: String) {
    #expect(throws: (any Error).self) { try fields(of: #"{"a":"\#(escaped)"}"#) }
  }
}
