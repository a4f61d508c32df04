// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing

/// Calendars that are kept in a folder, and seeds.
@Suite struct DurabilityTests {
  static let events = "calendars/primary/events"

  static let series =
    #"{"id":"abcde","x-more":[1],"recurrence":["RRULE:FREQ=DAILY;COUNT=5"],"start":{"dateTime":"2026-01-02T10:00:00","timeZone":"Europe/Madrid"},"end":{"dateTime":"2026-01-02T11:00:00","timeZone":"Europe/Madrid"}}"#

  func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "almanac-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  func harness(_ folder: String, _ configuration: Sandbox.Configuration = .init()) throws -> SandboxHarness {
    let clock = ManualClock()
    return try SandboxHarness(
      clock: clock, sandbox: try Sandbox(keepingIn: URL(filePath: folder), clock: clock, configuration: configuration))
  }

  @Test func everythingIsThereAgain() async throws {
    try await withFolder { folder in
      var configuration = Sandbox.Configuration()
      configuration.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")]
      var path = ""
      var before: [String: Answer] = [:]
      do {
        let first = try harness(folder, configuration)
        let token = try await first.token()
        let calendar = #"{"summary":"Kept","timeZone":"Asia/Tokyo"}"#
        let made = try await first.call(.post, "calendars", calendar, token: token)
        path = "calendars/\(try #require(made["id"].flatMap(FormEncoding.pathSegment)))"
        let rule = #"{"scope":{"type":"user","value":"ana@example.com"},"role":"writer"}"#
        _ = try await first.call(.post, path + "/acl", rule, token: token)
        _ = try await first.call(.post, path + "/events", Self.series, token: token)
        let sync = try #require(try await first.call(.get, path + "/events", token: token)["nextSyncToken"])
        _ = try await first.call(.patch, path + "/events/abcde_20260103T090000Z", #"{"summary":"M"}"#, token: token)
        _ = try await first.call(.delete, path + "/events/abcde_20260104T090000Z", token: token)
        let gone = try #require(try await first.call(.get, Self.events, token: token).ids().first)
        _ = try await first.call(.delete, "\(Self.events)/\(gone)", token: token)
        for path in [
          "users/me/calendarList?showHidden=true&showDeleted=true", path, path + "/acl", path + "/events",
          path + "/events?singleEvents=true", path + "/events?syncToken=\(sync)", Self.events + "?showDeleted=true",
        ] {
          before[path] = try await first.call(.get, path, token: token)
        }
      }

      let second = try harness(folder, configuration)
      let again = try await second.token()
      for (path, old) in before {
        let new = try await second.call(.get, path, token: again)
        #expect(old.status == 200 && old.object as NSDictionary == new.object as NSDictionary, "\(path)")
      }
      let ana = try await second.token(of: "ana@example.com")
      let other = Self.series.replacingOccurrences(of: "abcde", with: "abcdf")
      #expect(try await second.call(.post, path + "/events", other, token: ana).status == 200)
    }
  }

  /// Inserts `event1` and `event2`, and returns the path of the calendar's file.
  private func twoEvents(in folder: String) async throws -> String {
    let sandbox = try harness(folder)
    let token = try await sandbox.token()
    for id in ["event1", "event2"] {
      let json = #"{"id":"\#(id)","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
      let response = try await sandbox.call(.post, Self.events, json, token: token)
      try #require(response.status == 200)
    }
    return folder + "/calendar.jsonl"
  }

  /// The text after the line of an acknowledged call: `line` stands for another one, `_` for a zero.
  @Test(arguments: [
    ("____", false, "a block that was not written"), ("__\n", false, "its end was written"),
    ("__\"x\"}}]\n__", false, "its middle was written"), ("__line", false, "the end of the line was not written"),
    ("__\nline\n", true, "a whole line"), ("__line\n", true, "zeros up to a whole line"),
    ("__\nline\n[{_", true, "a whole line and a part of one"),
  ])
  func zerosAreDroppedUnlessAWholeLineFollows(_ end: String, _ isDamage: Bool, _ reason: String) async throws {
    try await withFolder { folder in
      let file = try await twoEvents(in: folder)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      let text =
        lines.dropLast().joined(separator: "\n") + "\n"
        + end.replacing("_", with: "\0").replacing("line", with: try #require(lines.last))
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      guard isDamage else {
        let second = try harness(folder)
        let again = try await second.token()
        #expect(try await second.call(.get, Self.events + "/event1", token: again).status == 200, "\(reason)")
        #expect(try await second.call(.get, Self.events + "/event2", token: again).status == 404, "\(reason)")
        return
      }
      let error = try #require(throws: SandboxError.self, "\(reason)") { try harness(folder) }
      #expect(error.message.contains("Line \(lines.count) of "), "\(reason)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text, "\(reason)")
    }
  }

  /// The file cut short in a call that writes two copies of an event: at every sixteenth byte, and at each of the last ones.
  @Test func aCallIsThereAsAWholeOrNotAtAll() async throws {
    try await withFolder { folder in
      let file = folder + "/calendar.jsonl"
      let seed = #"{"users":[{"email":"ana@example.com"},{"email":"ben@example.com"}]}"#
      var configuration = Sandbox.Configuration()
      configuration.use(try Sandbox.Seed(json: Array(seed.utf8)))
      var before = 0
      do {
        let first = try harness(folder, configuration)
        let token = try await first.token(of: "ana@example.com")
        before = try #require(FileManager.default.contents(atPath: file)).count
        let json =
          #"{"id":"event1","attendees":[{"email":"ben@example.com"}],"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
        #expect(try await first.call(.post, Self.events, json, token: token).status == 200)
      }
      let whole = try #require(FileManager.default.contents(atPath: file))
      #expect(whole[before...].count { $0 == 0x0A } == 1)
      for cut in before...whole.count where (cut - before) % 16 == 0 || cut >= whole.count - 8 {
        // What a power cut leaves unwritten may be zeros, before a part that was written.
        let hasZeros = cut % 3 == 0 && cut < whole.count - 1
        let rest = hasZeros ? Data(count: whole.count - cut - 1) + [0x0A] : Data()
        try (whole.prefix(cut) + rest).write(to: URL(filePath: file))
        _ = try harness(folder, configuration)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let copies = text.components(separatedBy: #""id":"event1""#).count - 1
        #expect(copies == (cut == whole.count ? 2 : 0), "\(cut) bytes of \(whole.count)")
      }
      let modes = try [folder, file].map {
        try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
      }
      #expect(modes == [0o700, 0o600])
      let last = try harness(folder, configuration)
      for user in ["ana@example.com", "ben@example.com"] {
        let again = try await last.token(of: user)
        #expect(try await last.call(.get, Self.events, token: again).ids() == ["event1"])
      }
    }
  }

  #if os(Linux)
    /// A process that another thread starts has copies of all descriptors until it executes its program.
    @Test func folderIsFreeAlthoughItsLockFileIsStillOpen() async throws {
      try await withFolder { folder in
        var copy: FileHandle?
        do {
          let first = try harness(folder)
          for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            guard let number = Int32(name), target?.hasSuffix("\(folder)/calendar.lock") == true else { continue }
            copy = FileHandle(fileDescriptor: dup(number), closeOnDealloc: true)
          }
          withExtendedLifetime(first) {}
        }
        #expect(copy != nil)
        _ = try harness(folder)
        withExtendedLifetime(copy) {}
      }
    }
  #endif

  @Test func callsAtTheSameTimeAreAllKept() async throws {
    try await withFolder { folder in
      let ids = (0..<50).map { "event\($0 + 100)" }
      do {
        let first = try harness(folder)
        let token = try await first.token()
        try await withThrowingTaskGroup(of: Int.self) { group in
          for id in ids {
            let json = #"{"id":"\#(id)","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
            group.addTask { try await first.call(.post, Self.events, json, token: token).status }
          }
          for try await status in group { #expect(status == 200) }
        }
      }
      let second = try harness(folder)
      let again = try await second.token()
      let listed = try await second.call(.get, Self.events + "?maxResults=2500", token: again).ids()
      #expect(Set(listed).isSuperset(of: ids))
    }
  }

  @Test(arguments: ["{odd}\n", String(repeating: "\0", count: 100)])
  func aDamagedFileIsReportedAndLeftAlone(_ start: String) async throws {
    try await withFolder { folder in
      _ = try harness(folder)
      let file = folder + "/calendar.jsonl"
      let text = start + (start.hasPrefix("{") ? try String(contentsOfFile: file, encoding: .utf8) : "")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let error = try #require(throws: SandboxError.self) { try harness(folder) }
      #expect(error.message.contains("Line 1 of "))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
  }
}
