// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
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

  @Test func theListIsPaintable() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get(Self.path, token: try await harness.accessToken())
    #expect(answer["kind"] == "calendar#calendarList")
    #expect(answer["etag"] != nil)
    for item in answer.items {
      #expect(item["kind"] as? String == "calendar#calendarListEntry")
      for name in ["id", "etag", "summary", "timeZone", "colorId", "accessRole"] {
        #expect(item[name] is String, "\(name)")
      }
      for name in ["backgroundColor", "foregroundColor"] {
        let color = try #require(item[name] as? String)
        #expect(color.count == 7 && color.first == "#" && color.dropFirst().allSatisfy(\.isHexDigit))
      }
    }
    let primary = answer.items.filter { $0["primary"] as? Bool == true }
    #expect(primary.map { $0["id"] as? String } == ["person@example.com"])
    let scripts: [ClosedRange<UInt32>] = [
      0x370...0x3FF, 0x600...0x6FF, 0x900...0x97F, 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7AF,
    ]
    let text = answer.text.unicodeScalars
    for script in scripts { #expect(text.contains { script.contains($0.value) }) }
  }

  @Test func hiddenAndDeletedOnesAreShownOnDemand() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let shown = try await harness.get(Self.path, token: token).items.count
    let hidden = try await harness.get("\(Self.path)?showHidden=true", token: token).items
    #expect(hidden.count == shown + 1)
    #expect(hidden.contains { $0["hidden"] as? Bool == true })
    let deleted = try await harness.get("\(Self.path)?showDeleted=true", token: token).items
    #expect(deleted.count == shown + 1)
    let entry = try #require(deleted.first { $0["deleted"] as? Bool == true })
    #expect(entry["summary"] == nil)
  }

  @Test(
    "minAccessRole bounds from below",
    arguments: [
      ("freeBusyReader", ["reader", "writer", "owner"]),
      ("writerWithoutPrivateAccess", ["writer", "owner"]),
      ("writer", ["writer", "owner"]),
      ("owner", ["owner"]),
    ] as [(String, Set<String>)])
  func minAccessRole(role: String, roles: Set<String>) async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get("\(Self.path)?minAccessRole=\(role)", token: try await harness.accessToken())
    #expect(Set(answer.items.compactMap { $0["accessRole"] as? String }) == roles)
  }

  @Test(
    arguments: [
      "maxResults=0", "maxResults=-1", "maxResults=many", "minAccessRole=boss", "showHidden=yes", "pageToken=x",
      "syncToken=x", "alt=xml", "maxResults=1&maxResults=2",
    ])
  func badParameters(query: String) async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get("\(Self.path)?\(query)", token: try await harness.accessToken())
    #expect(answer.status == 400)
    let error = try #require(answer.object["error"] as? [String: Any])
    #expect(error["code"] as? Int == 400)
    #expect(error["status"] as? String == "INVALID_ARGUMENT")
    #expect(answer.reason != nil)
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

  @Test func entriesAreFoundByIdentifier() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    for item in try await harness.get(Self.path, token: token).items {
      let id = try #require((item["id"] as? String).flatMap(FormEncoding.pathSegment))
      let entry = try await harness.get("\(Self.path)/\(id)", token: token)
      #expect(entry.object as NSDictionary == item as NSDictionary)
      #expect(entry.response.fields["ETag"] == item["etag"] as? String)
      let again = try await harness.get(
        "\(Self.path)/\(id)", token: token, fields: ["If-None-Match": try #require(item["etag"] as? String)])
      #expect(again.status == 304 && again.response.body.isEmpty)
    }
    #expect(try await harness.get("\(Self.path)/primary", token: token)["id"] == "person@example.com")
    let missing = try await harness.get("\(Self.path)/missing", token: token)
    #expect(missing.status == 404)
    #expect(missing.reason == "notFound")
  }

  @Test func coloursAreGoogles() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get("/calendar/v3/colors", token: try await harness.accessToken())
    let calendar = try #require(answer.object["calendar"] as? [String: [String: String]])
    let event = try #require(answer.object["event"] as? [String: [String: String]])
    #expect(calendar.count == 24 && event.count == 11)
    #expect(calendar["7"] == ["background": "#42d692", "foreground": "#1d1d1d"])
    #expect(calendar["24"]?["background"] == "#a47ae2")
    #expect(event["11"]?["background"] == "#dc2127")
    #expect(answer["kind"] == "calendar#colors")
  }
}
