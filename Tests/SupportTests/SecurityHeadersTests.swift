// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

@Suite struct SecurityHeadersTests {
  @Test func pageLoadsNothingAndCannotBeFramed() {
    #expect(
      SecurityHeaders.page().map { "\($0): \($1)" } == [
        "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin", "X-Frame-Options: DENY",
      ])
    #expect(
      SecurityHeaders.common.map { "\($0): \($1)" } == SecurityHeaders.page().prefix(3).map { "\($0): \($1)" })
  }

  @Test func directivesAreAllowedOneByOne() {
    let fields = SecurityHeaders.page(allowing: ["style-src 'self'", "form-action 'self'"])
    #expect(
      fields.first { $0.0 == "Content-Security-Policy" }?.1
        == "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
  }
}
