// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct CalendarListTests {
  private static let path = "/calendar/v3/users/me/calendarList"

  /// Walks all pages and returns the identifiers.
  private func walk(_ harness: SandboxHarness, _ query: String, token: String) async throws -> (
    ids: [String], pages: Int
  ) {
    var (ids, pages): ([String], Int) = ([], 0)
    var pageToken: String?
    repeat {
      let answer = try await harness.get(
        "\(Self.path)?\(query)\(pageToken.map { "&pageToken=\($0)" } ?? "")", token: token)
      #expect(answer.status == 200)
      #expect((answer["nextPageToken"] == nil) != (answer["nextSyncToken"] == nil), "Exactly one of the two.")
      ids += answer.items.compactMap { $0["id"] as? String }
      pages += 1
      pageToken = answer["nextPageToken"]
    } while pageToken != nil
    return (ids, pages)
  }

  @Test func pagingWalksAllOnce() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let whole = try await walk(harness, "", token: token)
    #expect(whole.pages == 1)
    #expect(whole.ids.count >= 12)
    #expect(Set(whole.ids).count == whole.ids.count)
    let pieces = try await walk(harness, "maxResults=5", token: token)
    #expect(pieces.pages == (whole.ids.count + 4) / 5)
    #expect(pieces.ids == whole.ids)
    #expect(try await walk(harness, "maxResults=1000", token: token).ids == whole.ids)
  }

  @Test func aPageTokenIsGoodForTheSameRequestOnly() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let page = try #require(try await harness.get("\(Self.path)?maxResults=3", token: token)["nextPageToken"])
    #expect(try await harness.get("\(Self.path)?maxResults=3&alt=json&pageToken=\(page)", token: token).status == 200)
    #expect(
      try await harness.get("\(Self.path)?maxResults=3&showHidden=true&pageToken=\(page)", token: token).status == 400)
    #expect(try await harness.get("\(Self.path)?maxResults=3&syncToken=\(page)", token: token).status == 400)
  }

  @Test func aSyncTokenAsksForChangesOnlyAndExpires() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let sync = try #require(try await harness.get(Self.path, token: token)["nextSyncToken"])
    let changes = try await harness.get("\(Self.path)?syncToken=\(sync)", token: token)
    #expect(changes.status == 200)
    #expect(changes.items.isEmpty && changes["nextSyncToken"] != nil)
    #expect(try await harness.get("\(Self.path)?syncToken=\(sync)&minAccessRole=owner", token: token).status == 400)
    #expect(try await harness.get("\(Self.path)?syncToken=\(sync)&showDeleted=false", token: token).status == 400)
    harness.sandbox.expireSyncTokens()
    let expired = try await harness.get("\(Self.path)?syncToken=\(sync)", token: token)
    #expect(expired.status == 410)
    #expect(expired.reason == "fullSyncRequired")
  }

  @Test func changesShowInTheListAndInItsSync() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let list = "users/me/calendarList"
    let before = try await harness.call(.get, list, token: token)
    let sync = try #require(before["nextSyncToken"])
    var ids: [String] = []
    for name in ["one", "two"] {
      ids.append(
        try #require(try await harness.call(.post, "calendars", #"{"summary":"\#(name)"}"#, token: token)["id"]))
    }
    let paths = try ids.map { "calendars/\(try #require(FormEncoding.pathSegment($0)))" }
    _ = try await harness.call(.delete, paths[0], token: token)
    _ = try await harness.call(.patch, paths[1], #"{"summary":"zwei"}"#, token: token)
    let changes = try await harness.call(.get, "\(list)?syncToken=\(sync)", token: token)
    try #require(changes.ids() == ids)
    #expect(changes.items[0]["deleted"] as? Bool == true && changes.items[1]["summary"] as? String == "zwei")
    let next = try #require(changes["nextSyncToken"])
    #expect(try await harness.call(.get, "\(list)?syncToken=\(next)", token: token).items.isEmpty)
    #expect(try await harness.call(.get, list, token: token).items.count == before.items.count + 1)
  }
}
