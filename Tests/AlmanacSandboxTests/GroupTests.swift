// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// Groups, with which calendars are shared and whose free/busy information is queried.
@Suite struct GroupTests {
  private static let group = #"{"scope":{"type":"group","value":"Team@Example.com"},"role":"reader"}"#
  private static let everyone = #"{"scope":{"type":"default"},"role":"freeBusyReader"}"#

  /// Ana belongs to the team, Ben to a group in it that has the team in it, too.
  private func harness() throws -> SandboxHarness {
    return try SandboxHarness {
      $0.otherUsers = ["ana@example.com", "ben@example.com", "eva@example.com"].map {
        Sandbox.User(subject: $0, email: $0)
      }
      $0.groups = [
        Sandbox.Group(
          email: "team@example.com", members: ["Ana@example.com", "crew@example.com", "guest@example.net"]),
        Sandbox.Group(email: "crew@example.com", members: ["ben@example.com", "team@example.com", "ana@example.com"]),
      ]
    }
  }

  @Test(arguments: [("ana@example.com", 200), ("ben@example.com", 200), ("eva@example.com", 404)])
  func ruleForAGroupAppliesToItsMembers(user: String, status: Int) async throws {
    let harness = try harness()
    let person = try await harness.token()
    let made = try await harness.call(.post, "calendars/primary/acl", Self.group, token: person)
    #expect(made["id"] == "group:team@example.com" && made["role"] == "reader")
    let token = try await harness.token(of: user)
    let path = "calendars/person%40example.com/events"
    let listed = try await harness.call(.get, path, token: token)
    #expect(listed.status == status)
    guard status == 200 else { return }
    #expect(listed["accessRole"] == "reader")
    let entry = try await harness.call(
      .post, "users/me/calendarList", #"{"id":"person@example.com"}"#, token: token)
    #expect(entry["accessRole"] == "reader")
    let sync = try #require(listed["nextSyncToken"])
    let rule = "calendars/primary/acl/group:team@example.com"
    _ = try await harness.call(.patch, rule, #"{"role":"writer"}"#, token: person)
    #expect(try await harness.call(.get, "\(path)?syncToken=\(sync)", token: token).reason == "fullSyncRequired")
    #expect(try await harness.call(.delete, rule, token: person).status == 204)
    #expect(try await harness.call(.get, path, token: token).status == 404)
    #expect(try await harness.call(.get, "users/me/calendarList", token: token).ids() == [user])
  }

  private func query(
    _ harness: SandboxHarness, _ items: [String], _ more: String = "", token: String
  ) async throws -> Answer {
    let list = items.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    let body = #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","items":[\#(list)]\#(more)}"#
    return try await harness.call(.post, "freeBusy", body, token: token)
  }

  private func reasons(_ answer: Answer, _ kind: String) -> [String: String] {
    let results = answer.object[kind] as? [String: [String: Any]] ?? [:]
    return results.compactMapValues { ($0["errors"] as? [[String: String]])?.first?["reason"] }
  }

  @Test func freeBusyOfAGroupIsThatOfItsMembers() async throws {
    let harness = try harness()
    let ana = try await harness.token(of: "ana@example.com")
    _ = try await harness.call(.post, "calendars/primary/acl", Self.everyone, token: ana)
    let event = #"{"start":{"dateTime":"2026-01-02T10:00:00Z"},"end":{"dateTime":"2026-01-02T11:00:00Z"}}"#
    _ = try await harness.call(.post, "calendars/primary/events", event, token: ana)
    let person = try await harness.token()
    let answer = try await query(
      harness, ["Team@example.com", "ana@example.com", "none@example.com"], token: person)
    let members = ["ana@example.com", "ben@example.com", "guest@example.net"]
    #expect(answer.value("groups", "Team@example.com", "calendars") as? [String] == members)
    #expect(
      answer.value("calendars", "ana@example.com", "busy") as? [[String: String]] == [
        ["start": "2026-01-02T10:00:00Z", "end": "2026-01-02T11:00:00Z"]
      ])
    #expect(
      reasons(answer, "calendars") == [
        "ben@example.com": "notFound", "guest@example.net": "notFound", "none@example.com": "notFound",
      ])
    #expect(try await query(harness, ["primary"], token: person).object["groups"] == nil)
  }
}
