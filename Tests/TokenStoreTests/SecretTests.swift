// SPDX-License-Identifier: Apache-2.0

import Testing
import Timekeeping
import TokenStore

@Suite struct SecretTests {
  private static let secret = "visible-secret"
  private static let token = StoredToken(
    accessToken: Secret(secret), expiresAt: .unixEpoch, refreshToken: Secret(secret), scopes: ["a"]
  ) { $0.idToken = Secret(secret) }

  @Test(
    arguments: [
      Secret(secret), Optional(Secret(secret)) as any Sendable, [Secret(secret)], ["key": Secret(secret)],
      [Secret(secret): 1],
      token, Optional(token) as any Sendable, ["account": token], (1, token),
      Result<StoredToken, any Error>.success(token),
      InMemoryTokenStorage(["account": token]),
    ] as [any Sendable])
  func nothingThatIsPrintedShowsTheValue(_ value: any Sendable) {
    #expect(!"\(value)".contains(Self.secret))
    #expect(!String(reflecting: value).contains(Self.secret))
    #expect(!dumped(value).contains(Self.secret))
    #expect(!reflected(value).contains(Self.secret))
  }

  @Test func onlyRevealReturnsTheValue() {
    #expect("\(Secret("a"))" == "<redacted>" && "\(Self.token)".contains("Bearer"))
    #expect(Secret(Self.secret).reveal() == Self.secret)
    #expect(Secret("").isEmpty && !Secret("a").isEmpty)
  }

  @Test(arguments: [
    ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "aa", false), ("", "a", false),
    ("ax", "bx", false), ("xa", "xb", false),
    // Equal as strings, but another secret.
    ("\u{E9}", "e\u{301}", false),
  ])
  func secretsAreEqualByTheirBytes(_ left: String, _ right: String, _ areEqual: Bool) {
    #expect((Secret(left) == Secret(right)) == areEqual)
    #expect(Set([Secret(left), Secret(right)]).count == (areEqual ? 1 : 2))
  }

  private func dumped(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  /// All that a mirror gives away, however deep.
  private func reflected(_ value: Any) -> String {
    if let text = value as? String { return text }
    let mirror = Mirror(reflecting: value)
    return mirror.children.map { "\($0.label ?? "") \(reflected($0.value))" }.joined(separator: "\n")
  }
}
