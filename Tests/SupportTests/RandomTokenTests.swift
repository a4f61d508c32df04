// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

@Suite struct RandomTokenTests {
  @Test func tokensAre43CharactersOfBase64URLAndDiffer() {
    let tokens = (0..<200).map { _ in randomToken() }
    #expect(Set(tokens).count == tokens.count)
    #expect(tokens.allSatisfy { $0.utf8.count == 43 })
    // Every one of the 64 characters is used: it would be missing with a probability of 10^-57.
    #expect(
      Set(tokens.joined()) == Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
  }
}
