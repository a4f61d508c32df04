// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthResources
import Synchronization
import TestSupport
import Testing
import TokenStore

/// The number of pages that a user sees if the resource is never content.
@Suite(.hangLimit) struct StepUpTests {
  private static let url = URL(literal: "https://tools.example/mcp")

  private let clock = ManualClock()
  private let pages = Counter()

  private enum User { case agrees, refuses, leaves }

  /// An account whose resource refuses every request, with the challenge of its number.
  private func account(_ user: User = .agrees, _ challenge: @escaping @Sendable (Int) -> String) async throws
    -> OAuthAccount
  {
    let answered = Counter()
    let transport = StubTransport { request in
      guard request.url == Self.url else {
        return Fixtures.json(#"{"access_token":"t\#(answered.next())","scope":"a"}"#)
      }
      return HTTPResponse(status: 403, fields: ["WWW-Authenticate": "Bearer \(challenge(answered.next()))"])
    }
    let token = StoredToken(accessToken: Secret("t"), scopes: ["a"], issuer: "https://login.example", clientID: "app")
    let userAgent = ScriptedUserAgent { [pages] pending in
      pages.next()
      if user == .leaves { throw CancellationError() }
      return try Fixtures.callback(
        pending, user == .refuses ? "error=access_denied&state=STATE" : "code=c&state=STATE")
    }
    return OAuthAccount(
      client: try Fixtures.client(transport, clock: clock), storage: try await InMemoryTokenStorage.holding(token),
      account: "me", scopes: ["a"], userAgent: userAgent)
  }

  /// Sends a request through a transport of its own.
  private func send(_ account: OAuthAccount, limit: Int = 2) async throws -> Int {
    try await account.transport(for: Self.url, stepUpLimit: limit).send(HTTPRequest(.get, Self.url)).status
  }

  private var pageCount: Int { pages.count }

  @Test func sameDemandIsMetOnceInTenMinutes() async throws {
    let account = try await account { #"error="insufficient_scope", scope="b c", error_description="\#($0)""# }
    for _ in 0..<5 { #expect(try await send(account) == 403) }
    #expect(pageCount == 1)
    clock.advance(by: .seconds(599))
    _ = try await send(account)
    #expect(pageCount == 1)
    clock.advance(by: .seconds(1))
    _ = try await send(account)
    #expect(pageCount == 2)
  }

  @Test func otherDemandsAreMetUpToTheLimit() async throws {
    let account = try await account { #"error="insufficient_scope", scope="s\#($0)""# }
    for _ in 0..<5 { #expect(try await send(account, limit: 3) == 403) }
    #expect(pageCount == 3)
  }

  @Test func requestsAtTheSameTimeShareTheLimit() async throws {
    let account = try await account { #"error="insufficient_scope", scope="s\#($0)""# }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await send(account, limit: 2) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(statuses == [403])
    #expect(pageCount == 2)
  }

  @Test func refusalOfTheUserCounts() async throws {
    let account = try await account(.refuses) { _ in #"error="insufficient_scope", scope="b""# }
    await expectError(.accessDenied) { try await send(account) }
    #expect(try await send(account) == 403)
    #expect(pageCount == 1)
  }

  @Test func signInThatIsCancelledDoesNotCount() async throws {
    let account = try await account(.leaves) { _ in #"error="insufficient_scope", scope="b""# }
    for _ in 0..<2 { await #expect(throws: CancellationError.self) { try await send(account) } }
    #expect(pageCount == 2)
  }

  @Test func newerAuthenticationIsMetAgainWhenItIsTooOld() async throws {
    let account = try await account { _ in #"error="insufficient_user_authentication", max_age="60""# }
    for _ in 0..<2 { #expect(try await send(account, limit: 9) == 403) }
    #expect(pageCount == 1)
    clock.advance(by: .seconds(60))
    _ = try await send(account, limit: 9)
    #expect(pageCount == 2)
  }
}

/// A count that any task adds to.
final class Counter: Sendable {
  private let counted = Mutex(0)
  var count: Int { counted.withLock(\.self) }

  @discardableResult
  func next() -> Int {
    counted.withLock {
      $0 += 1
      return $0
    }
  }
}
