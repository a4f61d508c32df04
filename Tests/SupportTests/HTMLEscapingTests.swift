// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

@Suite struct HTMLEscapingTests {
  @Test(
    arguments: [
      ("<b x=\"y\" z='&'>", "&lt;b x=&quot;y&quot; z=&#39;&amp;&#39;&gt;", "every character with a meaning"),
      ("<\u{338}script>", "&lt;\u{338}script&gt;", "a combining mark does not hide it"),
      ("año – 日本", "año – 日本", "nothing else is touched"),
    ])
  func escapesByScalars(text: String, markup: String, reason: Comment) {
    #expect(Array(text.escapedForHTML.unicodeScalars) == Array(markup.unicodeScalars), reason)
  }
}
