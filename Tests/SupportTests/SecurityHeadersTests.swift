// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

@Suite struct SecurityHeadersTests {
  private func fields(_ pairs: [(String, String)]) throws -> [String: String] {
    let fields = Dictionary(pairs) { first, _ in first }
    try #require(fields.count == pairs.count, "no field stands twice")
    return fields
  }

  @Test func pageLoadsNothingAndCannotBeFramed() throws {
    let fields = try fields(SecurityHeaders.page())
    #expect(fields["Content-Security-Policy"] == "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    #expect(fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(fields["X-Frame-Options"] == "DENY")
    #expect(fields["Cache-Control"] == "no-store")
    #expect(fields["Referrer-Policy"] == "no-referrer")
    #expect(fields["X-Content-Type-Options"] == "nosniff")
  }

  @Test func directivesAreAllowedOneByOne() throws {
    let policy = try fields(SecurityHeaders.page(allowing: ["style-src 'self'", "form-action 'self'"]))[
      "Content-Security-Policy"]
    #expect(
      policy
        == "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
  }
}
