// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

@Suite struct ConstantTimeTests {
  @Test(
    arguments: [
      ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "ab", false), ("ba", "aa", false),
      ("é", "e\u{301}", false),
    ])
  func comparesBytes(left: String, right: String, equal: Bool) {
    #expect(ConstantTime.equal(left, right) == equal)
  }
}
