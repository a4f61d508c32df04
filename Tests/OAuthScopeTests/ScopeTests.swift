// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthScope
import TestSupport
import Testing

@Suite struct ScopeTests {
  @Test(arguments: [
    ("read", "read", true), ("read", "Read", false), ("caf\u{E9}", "cafe\u{301}", false), ("a", "a ", false),
  ])
  func comparisonIsByBytes(_ left: Scope, _ right: Scope, _ isEqual: Bool) {
    #expect((left == right) == isEqual && (left != right) == !isEqual)
    #expect(Set([left, right]).count == (isEqual ? 1 : 2))
  }

  @Test func listIsAnArrayOfStringsOrOneParameter() throws {
    let scopes: [Scope] = [.openID, "a/b"]
    #expect(try JSONEncoder().encode(scopes) == JSONEncoder().encode(scopes.map(\.rawValue)))
    #expect(try JSONDecoder().decode([Scope].self, from: Data(#"["openid","a/b"]"#.utf8)) == scopes)
    #expect(scopes.joined() == "openid a/b" && [Scope](parameter: " openid  a/b") == scopes)
  }

  @Test(arguments: [
    ("!#[]~", true), ("a+b:c/d", true), ("", false), ("a b", false), ("a\"", false), ("a\\", false), ("a\n", false),
    ("\u{E9}", false), ("\u{7F}", false),
  ])
  func charactersAreThoseOfTheSpecification(_ scope: Scope, _ isWellFormed: Bool) {
    #expect(scope.isWellFormed == isWellFormed)
  }
}
