// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import JSONCoding
import OAuthCore
import TestSupport
import Testing
import TokenStore

/// Tests of the scopes that cover others, and of sign-ins for more.
@Suite(.hangLimit) struct ScopeCoverageTests {
  /// The methods that accept each scope, by the last part of its URL, from the table that the API's client is made from.
  private static func methods() throws -> [String: Set<String>] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Tools/API/calendar_v3.json")
    let table = try JSONValue(json: Array(Data(contentsOf: file)))
    var methods: [String: Set<String>] = [:]
    for (name, method) in try #require(table["methods"]?.object) {
      for scope in method["scopes"]?.array ?? [] { methods[scope.string ?? "", default: []].insert(name) }
    }
    return methods
  }

  @Test func scopeCoversOnlyWhatEachMethodAcceptsItFor() throws {
    let methods = try Self.methods()
    func accepting(_ scope: Scope) throws -> Set<String> {
      try #require(methods[String(scope.rawValue.split(separator: "/").last ?? "")], "\(scope)")
    }
    var pairs = 0
    for whole in Scope.ofCalendarAPI {
      for part in Scope.ofCalendarAPI where ScopeRule.google.isCovered(part, by: [whole]) {
        #expect(try accepting(part).isSubset(of: accepting(whole)), "\(whole) does not cover \(part).")
        pairs += 1
      }
    }
    #expect(pairs > Scope.ofCalendarAPI.count * 2)
  }

  @Test(arguments: [
    (Scope.calendarReadOnly, Scope.calendar, true), (.calendarEvents, .calendar, true),
    (.calendar, .calendarReadOnly, false), (.calendarEvents, .calendarReadOnly, false),
    (.calendarEventsReadOnly, .calendarReadOnly, true), (.calendarEventsReadOnly, .calendarEvents, true),
    (.calendarReadOnly, .calendarEvents, false), (.email, Scope(googleName: "userinfo.email"), true),
    (Scope(googleName: "userinfo.profile"), .profile, true), (.email, .calendar, false),
    ("https://www.googleapis.com/auth/drive", .calendar, false),
  ])
  func widerScopeCoversItsParts(_ part: Scope, _ whole: Scope, _ isCovered: Bool) {
    #expect(ScopeRule.google.isCovered(part, by: ["x", whole]) == isCovered)
  }

  @Test(arguments: [
    ("calendar.readonly", "https://www.googleapis.com/auth/calendar.readonly"), ("openid", "openid"),
    ("email", "email"),
    ("https://www.googleapis.com/auth/drive", "https://www.googleapis.com/auth/drive"),
  ])
  func shortNameStandsForGooglesAddress(_ short: String, _ whole: String) {
    #expect(Scope(googleName: short).rawValue == whole)
  }

  // MARK: The account

  @Test func accountSignsInForScopesThatAreNewAndNotCovered() async throws {
    let clock = ManualClock()
    let sandbox = Sandbox(clock: clock)
    let storage = InMemoryTokenStorage()
    var pages: Int { sandbox.log.count { $0.kind == .consentShown } }
    func account(_ scopes: [Scope]) throws -> GoogleAccount {
      try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: [.openID, .email] + scopes, storage: storage,
        userAgent: sandbox.approvingUser,
        options: .init(
          services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
          transport: sandbox.transport(), clock: clock))
    }
    try await account([.calendarReadOnly]).authorize()
    try await account([.calendarEventsReadOnly]).authorize()
    #expect(pages == 1)
    let google = try account([.calendarReadOnly])
    let token = try await google.authorize(adding: [.calendarEvents])
    #expect(ScopeRule.google.isCovered(.calendarEvents, by: token.scopes))
    #expect(token.scopes.contains(.calendarReadOnly))
    #expect(pages == 2)
    try await account([.calendar]).authorize()
    #expect(pages == 3)
    for scopes in [[Scope.calendarReadOnly], [.calendarEvents], [.calendarACLs], [.calendar]] {
      try await account([]).authorize(adding: scopes)
      try await account(scopes).authorize()
    }
    #expect(pages == 3)
  }
}
