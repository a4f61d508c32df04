// SPDX-License-Identifier: Apache-2.0

import Foundation
import Recurrence
import Testing
import Timekeeping

struct ZoneTests {
  @Test(
    "Offsets are those of Foundation, from 1800 to 2400",
    arguments: [
      "Europe/Zurich", "Europe/Dublin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo",
      "Asia/Kathmandu", "Africa/Casablanca", "Asia/Tehran", "America/Nuuk", "Etc/GMT+5", "UTC",
    ])
  func offsets(name: String) throws {
    let zone = try zone(name)
    let foundation = try #require(TimeZone(identifier: name))
    // Some days and hours apart, so that all times of day come.
    for seconds in stride(from: Int64(-2_000_000_000), to: 13_000_000_000, by: 1_234_567) {
      let expected = foundation.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
      guard zone.offset(at: Timestamp(secondsSince1970: seconds)) != expected else { continue }
      Issue.record("\(name) at \(Timestamp(secondsSince1970: seconds)) is not \(expected)")
      return
    }
  }

  @Test(
    "A rule without a table is enough",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3600),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3600),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", 39_600),
      ("<-0330>3:30", "2026-01-01T00:00:00Z", -12_600), ("AAA+3", "2026-01-01T00:00:00Z", -10_800),
      ("AAA+03:30:15", "2026-01-01T00:00:00Z", -12_615), ("AAA-24", "2026-01-01T00:00:00Z", 86_400),
      ("AAA24", "2026-01-01T00:00:00Z", -86_400),
      ("XXX3EDT4,0/0,J365/23", "2026-01-01T03:00:00Z", -14_400),
      ("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00Z", -14_400),
      ("XXX3EDT2,0/0,J365/63", "2025-12-31T23:59:59Z", -10_800),
      ("XXX3EDT2,0/0,J365/63", "2026-01-01T02:59:59Z", -10_800),
      ("XXX3EDT2,0/0,J365/63", "2026-01-02T16:59:59Z", -7200),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59Z", 7200),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", 10_800),
      ("AAA0BBB,J60,J300", "2024-03-01T01:59:59Z", 0), ("AAA0BBB,J60,J300", "2024-03-01T02:00:00Z", 3600),
      ("AAA0BBB,59,J300", "2024-02-29T02:00:00Z", 3600),
    ])
  func rule(text: String, at instant: String, offset: Int) throws {
    let zone = try Zone(identifier: "Test", posixRule: text)
    #expect(try zone.offset(at: Timestamp(rfc3339: instant)) == offset)
  }

  @Test(arguments: [
    "", "/etc/passwd", "../../etc/passwd", "Europe/../../../etc/passwd", "Europe//Zurich", "Europe/", ".",
    "Europe/.hidden",
    "Europe/Zürich", "Europe/Zurich\0", "-", "a b",
  ])
  func aNameLeadsNowhereElse(name: String) throws {
    let error = try #require(throws: ZoneError.self) { try zone(name) }
    #expect(error.reason == .invalidIdentifier)
  }

  @Test(arguments: [
    "Mars/Olympus", "Europe", "Europe/Zurich/x", "zone.tab", "tzdata.zi", String(repeating: "a", count: 255),
  ])
  func saysThatThereIsNone(name: String) throws {
    let error = try #require(throws: ZoneError.self) { try zone(name) }
    #expect(error == ZoneError(.unknownIdentifier, name))
  }

  @Test func aFileThatIsCutOffOrChangedIsRefusedOrRead() throws {
    let path = try #require(
      SystemZoneDatabase.systemFolders.map { $0 + "/Europe/Zurich" }.first(where: FileManager.default.fileExists))
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    #expect(try Zone(identifier: "Europe/Zurich", tzif: bytes) == zone("Europe/Zurich"))
    for length in 0..<bytes.count {
      let error = try #require(throws: ZoneError.self) {
        try Zone(identifier: "Test", tzif: Array(bytes.prefix(length)))
      }
      #expect(error.reason == .malformed)
    }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0xFF
      if let zone = try? Zone(identifier: "Test", tzif: changed) { #expect(abs(zone.offset(at: .unixEpoch)) < 93_600) }
    }
  }

  @Test func timesBeyondTheCalendarHaveAnOffset() throws {
    let zone = try zone("Europe/Zurich")
    #expect(zone.offset(at: Timestamp(secondsSince1970: .max)) == 3600)
    #expect(zone.offset(at: Timestamp(secondsSince1970: .min)) == 2048, "Local mean time.")
    #expect(zone.local(at: Timestamp(secondsSince1970: .max)).date == .max)
  }
}
