// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// Several users, roles and invitations.
@Suite struct SharingTests {
  private static let timed =
    #""start":{"dateTime":"2026-01-02T10:00:00+01:00"},"end":{"dateTime":"2026-01-02T11:00:00+01:00"}"#
  private let harness: SandboxHarness
  private let person: String
  private let ana: String

  init() async throws {
    harness = try SandboxHarness.withUsers()
    person = try await harness.token()
    ana = try await harness.token(of: "ana@example.com")
  }

  /// A calendar of the person with an open and a private event.
  private func sharedCalendar() async throws -> String {
    let made = try await harness.call(.post, "calendars", #"{"summary":"Shared"}"#, token: person)
    let path = "calendars/\(try #require(made["id"].flatMap(FormEncoding.pathSegment)))"
    for json in [
      #"{"id":"open0","summary":"O",\#(Self.timed)}"#,
      #"{"id":"closed","summary":"C","visibility":"private",\#(Self.timed)}"#,
    ] {
      #expect(try await harness.call(.post, path + "/events", json, token: person).status == 200)
    }
    return path
  }

  @Test(
    "A role decides what is seen and done",
    arguments: [
      ("none", 404, [], 404, 404), ("freeBusyReader", 200, [nil, nil], 403, 403),
      ("reader", 200, ["O", nil], 403, 403),
      ("writerWithoutPrivateAccess", 200, ["O", nil], 200, 403), ("writer", 200, ["O", "C"], 200, 403),
      ("owner", 200, ["O", "C"], 200, 200),
    ] as [(String, Int, [String?], Int, Int)])
  func roles(role: String, read: Int, summaries: [String?], write: Int, share: Int) async throws {
    let path = try await sharedCalendar()
    if role != "none" {
      let rule = #"{"scope":{"type":"user","value":"Ana@Example.com"},"role":"\#(role)"}"#
      let made = try await harness.call(.post, path + "/acl", rule, token: person)
      #expect(made["id"] == "user:ana@example.com" && made["role"] == role)
    }
    let listed = try await harness.call(.get, path + "/events", token: ana)
    #expect(listed.status == read)
    #expect(listed.items.map { $0["summary"] as? String } == summaries)
    if read == 200 { #expect(listed["accessRole"] == role) }
    for item in listed.items where item["summary"] == nil {
      let shown = [
        "kind", "etag", "id", "status", "created", "updated", "start", "end", "iCalUID", "sequence", "eventType",
        "visibility",
      ]
      #expect(Set(item.keys) == Set(shown))
    }
    #expect(try await harness.call(.post, path + "/events", "{\(Self.timed)}", token: ana).status == write)
    let privatePatch = try await harness.call(.patch, path + "/events/closed", #"{"summary":"X"}"#, token: ana)
    #expect((privatePatch.status == 200) == (role == "writer" || role == "owner"))
    #expect(try await harness.call(.get, path + "/acl", token: ana).status == share)
    #expect(try await harness.call(.patch, path, #"{"description":"x"}"#, token: ana).status == share)
  }
}
