// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Testing

@Suite struct HTMLTests {
  @Test func textIsEscapedInEveryPosition() {
    let text = "<script>\"'&"
    #expect(HTML(text: text).description == "&lt;script&gt;&quot;&#39;&amp;")
    let page: HTML = "<p title=\"\(text)\">\(text) \(7)</p>"
    #expect(page.description == "<p title=\"&lt;script&gt;&quot;&#39;&amp;\">&lt;script&gt;&quot;&#39;&amp; 7</p>")
  }

  @Test func markupIsNotEscapedAgain() {
    let item: HTML = "<li>\("<")</li>"
    #expect((("<ol>\(HTML([item, item]))</ol>") as HTML).description == "<ol><li>&lt;</li><li>&lt;</li></ol>")
  }

  @Test func onlyLiteralsAreMarkup() {
    #expect(HTML.StringLiteralType.self == StaticString.self, "a string made at run time must not become markup")
    #expect(HTML.StringInterpolation.StringLiteralType.self == StaticString.self)
  }
}
