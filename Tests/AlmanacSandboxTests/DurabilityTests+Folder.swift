// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folder: which sandbox uses it, what it keeps, and files that are not a sandbox's.
extension DurabilityTests {
  private static let one = #"{"id":"event1","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#

  private func configuration(_ users: String...) throws -> Sandbox.Configuration {
    let seed = #"{"users":[\#(users.map { #"{"email":"\#($0)@example.com"}"# }.joined(separator: ","))]}"#
    var configuration = Sandbox.Configuration()
    configuration.use(try Sandbox.Seed(json: Array(seed.utf8)))
    return configuration
  }

  @Test func folderIsUsedByOneSandboxAtATime() async throws {
    try await withFolder { folder in
      do {
        let first = try harness(folder)
        let error = try #require(throws: SandboxError.self) { try harness(folder) }
        #expect(error.message.contains("Another sandbox of this process uses the folder \(folder)."))
        let token = try await first.token()
        #expect(try await first.call(.post, Self.events, Self.one, token: token).status == 200)
      }
      let second = try harness(folder)
      let token = try await second.token()
      #expect(try await second.call(.get, Self.events + "/event1", token: token).status == 200)
    }
  }

  /// The lock's file as another process may have it.
  @Test(arguments: [
    ("4242\n", "The process 4242 uses"), ("4242", "The process 4242 uses"), ("", "Another process uses"),
    ("no number\n", "Another process uses"),
  ])
  func holderOfTheFolderIsNamed(_ text: String, _ message: String) async throws {
    try await withFolder { folder in
      _ = try harness(folder)
      let file = try FileHandle(forUpdating: URL(filePath: folder + "/calendar.lock"))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try #require(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
      let error = try #require(throws: SandboxError.self) { try harness(folder) }
      #expect(error.message.contains(message))
      try file.close()
      _ = try harness(folder)
    }
  }

  @Test func usersWhoAreNotConfiguredKeepTheirCalendarLists() async throws {
    try await withFolder { folder in
      let list = "users/me/calendarList?showHidden=true&showDeleted=true"
      var before: Answer?
      do {
        let first = try harness(folder, configuration("ben", "ana"))
        let ana = try await first.token(of: "ana@example.com")
        let made = try #require(try await first.call(.post, "calendars", #"{"summary":"Mine"}"#, token: ana)["id"])
        let path = "users/me/calendarList/\(try #require(FormEncoding.pathSegment(made)))"
        _ = try await first.call(.patch, path, #"{"hidden":true,"colorId":"7"}"#, token: ana)
        before = try await first.call(.get, list, token: ana)
      }
      // Without the seed, with users who are new, and with one of them.
      for (configuration, user) in [
        (Sandbox.Configuration(), "person"), (try configuration("carl", "dora"), "dora"),
        (try configuration("dora"), "dora"),
      ] {
        let other = try harness(folder, configuration)
        let token = try await other.token(of: "\(user)@example.com")
        _ = try await other.call(.post, Self.events, Self.one, token: token)
        #expect(try await other.call(.get, Self.events, token: token).ids() == ["event1"])
        #expect(try await other.call(.get, list, token: token).ids() == ["\(user)@example.com"])
      }
      let last = try harness(folder, configuration("ana", "ben"))
      let ana = try await last.token(of: "ana@example.com")
      let after = try await last.call(.get, list, token: ana)
      #expect(after.items.count == 2)
      #expect(try #require(before).items as NSArray == after.items as NSArray)
    }
  }

  @Test func countBeyondItsRangeIsDamage() async throws {
    try await withFolder { folder in
      let file = URL(filePath: folder + "/calendar.jsonl")
      let configuration = try configuration("ana", "ben")
      let changes = [
        "/event1": #"{"start":{"date":"2026-02-02"},"end":{"date":"2026-02-03"}}"#,
        "/abcde": #"{"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}"#,
      ]
      do {
        let first = try harness(folder, configuration)
        let ana = try await first.token(of: "ana@example.com")
        _ = try await first.call(.post, Self.events, Self.one, token: ana)
        _ = try await first.call(.post, Self.events, Self.series, token: ana)
        _ = try await first.call(.patch, Self.events + "/abcde", #"{"recurrence":["RRULE:FREQ=DAILY"]}"#, token: ana)
        let rule = #"{"scope":{"type":"user","value":"ben@example.com"},"role":"reader"}"#
        _ = try await first.call(.post, "calendars/primary/acl", rule, token: ana)
      }
      let text = try String(contentsOf: file, encoding: .utf8)
      let pattern = /"(revision|syncGeneration|minorChanges|sequence|ben@example\.com)":(-?\d+)/
      let counts = Dictionary(text.matches(of: pattern).map { ($0.output.1, $0.output) }) { $1 }.values
      #expect(counts.count == 5)
      for count in counts {
        for (value, isDamage) in [
          (Int.max, true), (.min, true), (1 << 53 + 1, true), (1 << 53, false),
        ] {
          let place = "\(count.0) → \(value)"
          let changed = text.replacingCharacters(
            in: count.2.startIndex..<count.2.endIndex, with: "\(value)")
          try changed.write(to: file, atomically: true, encoding: .utf8)
          guard isDamage else {
            let harness = try harness(folder, configuration)
            harness.sandbox.expireSyncTokens()
            let ana = try await harness.token(of: "ana@example.com")
            for (path, change) in changes {
              #expect(try await harness.call(.patch, Self.events + path, change, token: ana).status == 200, "\(place)")
            }
            continue
          }
          let error = #expect(throws: SandboxError.self, "\(place)") { try harness(folder, configuration) }
          #expect(error?.message.contains("is damaged") == true, "\(place)")
          #expect(try String(contentsOf: file, encoding: .utf8) == changed)
        }
      }
    }
  }

  @Test(
    .hangLimit,
    arguments: [
      ("calendar.jsonl", true), ("calendar.lock", true), ("calendar.jsonl.new", false),
    ])
  func pipeInPlaceOfAFileDoesNotBlock(_ name: String, _ isRefused: Bool) async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      // The path is a string for the time of the call.
      try #require(unsafe mkfifo("\(folder)/\(name)", 0o600) == 0)
      guard isRefused else {
        _ = try harness(folder)
        return
      }
      let error = try #require(throws: SandboxError.self) { try harness(folder) }
      #expect(error.message.contains("\(folder)/\(name) ") && error.message.contains("a regular file"))
    }
  }
}
