// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

/// Files of the time zone database and rules of POSIX, at each of their bounds and beside it.
struct ZoneBoundaryTests {
  /// A file of the database, piece by piece.
  private struct File {
    var version: UInt8 = 0x32
    var changes: [Int64] = [0, 100]
    var indexes: [UInt8] = [0, 1]
    var offsets: [Int32] = [60, 120]
    var characters = 1
    var leaps = 0
    var isUTC = 0
    var isStandard = 0
    /// The 32-bit block, which a reader of version 2 skips.
    var firstChanges: [Int32] = []
    var footer = "\n\n"

    private func big(_ value: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func block(_ times: [Int64], _ size: Int) -> [UInt8] {
      let counts = [isUTC, isStandard, leaps, times.count, offsets.count, characters]
      let indexes: [UInt8] = times.indices.map { self.indexes.indices.contains($0) ? self.indexes[$0] : 0 }
      var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      for count in counts { bytes += big(Int64(count), 4) }
      for time in times { bytes += big(time, size) }
      bytes += indexes
      for offset in offsets { bytes += big(Int64(offset), 4) + [0, 0] as [UInt8] }
      return bytes + [UInt8](repeating: 0, count: characters + leaps * (size + 4) + isStandard + isUTC)
    }

    var bytes: [UInt8] {
      version == 0
        ? block(changes, 4) : block(firstChanges.map { Int64($0) }, 4) + block(changes, 8) + Array(footer.utf8)
    }
  }

  private func zone(_ change: (inout File) -> Void) throws -> Zone {
    var file = File()
    change(&file)
    return try Zone(identifier: "Test", tzif: file.bytes)
  }

  private func offsets(of zone: Zone, at instants: Int64...) -> [Int] {
    instants.map { zone.offset(at: Timestamp(secondsSince1970: $0)) }
  }

  private func expectMalformed(
    _ reason: ZoneError.Reason = .malformed, at location: SourceLocation = #_sourceLocation,
    _ change: (inout File) -> Void
  ) throws {
    let error = try #require(throws: ZoneError.self, sourceLocation: location) { try zone(change) }
    #expect(error.reason == reason, sourceLocation: location)
  }

  @Test func blocksAreReadWhereTheyBegin() throws {
    let plain = try zone { _ in }
    #expect(offsets(of: plain, at: -1, 0, 99, 100, 101) == [60, 60, 60, 120, 120])
    // In both blocks, the reader skips the bytes between and after the fields.
    for (utc, standard, characters) in [(2, 0, 1), (0, 2, 1), (2, 2, 9), (0, 0, 0)] {
      let zone = try zone {
        ($0.isUTC, $0.isStandard, $0.characters, $0.firstChanges) = (utc, standard, characters, [5, 6, 7])
        $0.footer = "\nAAA-1\n"
      }
      #expect(offsets(of: zone, at: 99, 100) == [60, 3600])
    }
    let old = try zone { ($0.version, $0.changes) = (0, [-5, 100]) }
    #expect(offsets(of: old, at: -6, -5, 99, 100) == [60, 60, 60, 120])
    let older = try zone { ($0.version, $0.changes, $0.indexes) = (0, [-2_147_483_648, 2_147_483_647], [1, 0]) }
    #expect(offsets(of: older, at: -2_147_483_649, -2_147_483_648, 2_147_483_646, 2_147_483_647) == [60, 120, 120, 60])
    for version: UInt8 in [0x32, 0x33, 0x34] { #expect(try zone { $0.version = version } == plain) }
  }

  @Test func firstTypeHoldsBeforeTheFirstChange() throws {
    let zone = try zone { ($0.indexes, $0.offsets) = ([1, 2], [1, 2, 3]) }
    #expect(offsets(of: zone, at: .min, -1, 0, 99, 100, .max) == [1, 1, 2, 2, 3, 3])
    let single = try self.zone { ($0.changes, $0.offsets) = ([], [-7]) }
    #expect(offsets(of: single, at: .min, 0, .max) == [-7, -7, -7])
  }

  @Test func zonesAreEqualByTheirNameAndTheirClocks() throws {
    let plain = try zone { _ in }
    #expect(try plain == zone { _ in })
    #expect(try plain != Zone(identifier: "Other", tzif: File().bytes))
    #expect(try plain != zone { $0.changes = [0, 101] })
    #expect(try plain != zone { $0.indexes = [1, 0] })
    #expect(try plain != zone { $0.footer = "\nAAA-1\n" })
    #expect(try Zone(identifier: "A", posixRule: "AAA-1") == Zone(identifier: "A", posixRule: "BBB-1"))
    #expect(try Zone(identifier: "A", posixRule: "AAA-1") != Zone(identifier: "A", posixRule: "AAA-2"))
  }

  @Test func changesAscendWithinTheirBounds() throws {
    #expect(offsets(of: try zone { $0.changes = [99, 100] }, at: 98, 99, 100) == [60, 60, 120])
    try expectMalformed { $0.changes = [100, 100] }
    try expectMalformed { $0.changes = [101, 100] }
    let (past, future) = (Int64.min / 8, Int64.max / 8)
    _ = try zone { $0.changes = [past, future] }
    try expectMalformed { $0.changes = [past - 1, future] }
    try expectMalformed { $0.changes = [past, future + 1] }
    try expectMalformed { $0.indexes = [0, 2] }
    try expectMalformed { $0.indexes = [2, 0] }
  }

  @Test func offsetsAreWithinTheirBounds() throws {
    for offset: Int32 in [93_599, -93_599] {
      #expect(offsets(of: try zone { $0.offsets[1] = offset }, at: 100) == [Int(offset)])
    }
    for offset: Int32 in [93_600, -93_600, .max, .min] { try expectMalformed { $0.offsets[1] = offset } }
    try expectMalformed { ($0.changes, $0.offsets) = ([], []) }
  }

  @Test func leapSecondsAreRefused() throws {
    try expectMalformed(.leapSeconds) { $0.leaps = 1 }
    try expectMalformed(.leapSeconds) { ($0.version, $0.leaps) = (0, 1) }
  }

  @Test func footerStandsBetweenNewlines() throws {
    for footer in ["", "\n", "AAA-1\n", "\nAAA-1", "\nAAA\n", "\n \n", "x\n\n"] {
      try expectMalformed { $0.footer = footer }
    }
    #expect(offsets(of: try zone { $0.footer = "\nAAA-1\nmore" }, at: 100) == [3600])
  }

  @Test func fileIsNoLargerThanItsLimit() throws {
    let limit = 256 * 1024
    let bytes = File().bytes
    let padding = { (count: Int) in bytes + [UInt8](repeating: 0, count: count - bytes.count) }
    _ = try Zone(identifier: "Test", tzif: padding(limit))
    let error = try #require(throws: ZoneError.self) { try Zone(identifier: "Test", tzif: padding(limit + 1)) }
    #expect(error.reason == .malformed)
  }

  @Test(arguments: 0..<6) func countsThatNoFileHasAreRefused(_ count: Int) throws {
    for value: [UInt8] in [
      [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 4, 0, 1], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 1, 0],
    ] {
      var file = File()
      file.version = 0
      var bytes = file.bytes
      bytes.replaceSubrange(20 + count * 4..<24 + count * 4, with: value)
      let error = try #require(throws: ZoneError.self) { try Zone(identifier: "Test", tzif: bytes) }
      #expect(error.reason == .malformed)
    }
  }

  // MARK: Rules

  private static let years = [1899, 1900, 1996, 1999, 2000, 2023, 2024, 2025, 2028, 2099, 2100, 2101, 2400]

  private static func isLeap(_ year: Int) -> Bool { year % 400 == 0 || (year % 100 != 0 && year % 4 == 0) }

  /// The days since 1970 of the days of a year, counted one by one.
  private static func days(of year: Int) throws -> Range<Int> {
    let first = try CivilDate(rfc3339: "\(year)-01-01").daysSince1970
    return first..<first + (isLeap(year) ? 366 : 365)
  }

  @Test(arguments: [0, 1, 30, 31, 57, 58, 59, 60, 61, 180, 363])
  func dayOfTheYearIsCountedWithOrWithoutLeapDays(_ day: Int) throws {
    // Summer time ends at the end of the year but one day, so that the start alone is looked at.
    let counted = try Zone(identifier: "Test", posixRule: "AAA0BBB,\(day)/0,364/12")
    let julian = try Zone(identifier: "Test", posixRule: "AAA0BBB,J\(day + 1)/0,J365/12")
    for year in Self.years {
      let days = Array(try Self.days(of: year))
      let leapless = Self.isLeap(year) ? days[..<59] + days[60...] : days[...]
      for (zone, start, end) in [
        (counted, days[day], days[364]), (julian, leapless[leapless.startIndex + day], days[days.count - 1]),
      ] {
        let (start, end) = (Int64(start) * 86_400, Int64(end) * 86_400 + 43_200 - 3600)
        #expect(offsets(of: zone, at: start - 1, start, end - 1, end) == [0, 3600, 3600, 0], "\(year)")
      }
    }
  }

  @Test func weekdayIsTheFirstToTheLastOfItsMonth() throws {
    for month in 1...11 {
      for week in 1...5 {
        for weekday in [0, 3, 6] {
          let zone = try Zone(identifier: "Test", posixRule: "AAA0BBB,M\(month).\(week).\(weekday)/0,M12.5.6/24")
          for year in [1900, 2000, 2023, 2024] {
            let digits = month < 10 ? "0\(month)" : "\(month)"
            let first = try CivilDate(rfc3339: "\(year)-\(digits)-01").daysSince1970
            let length = month == 2 ? (Self.isLeap(year) ? 29 : 28) : ([4, 6, 9, 11].contains(month) ? 30 : 31)
            // 1970-01-01 was a Thursday.
            let days = (first..<first + length).filter { (($0 + 4) % 7 + 7) % 7 == weekday }
            let start = Int64(week == 5 ? days[days.count - 1] : days[week - 1]) * 86_400
            #expect(offsets(of: zone, at: start - 1, start) == [0, 3600], "M\(month).\(week).\(weekday) in \(year)")
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ("AAA0BBB,M1.1.0,M12.5.6", true), ("AAA0BBB,M0.1.0,M12.5.6", false), ("AAA0BBB,M1.0.0,M12.5.6", false),
      ("AAA0BBB,M1.1.0,M13.5.6", false), ("AAA0BBB,M1.1.0,M12.6.6", false), ("AAA0BBB,M1.1.0,M12.5.7", false),
      ("AAA0BBB,J1,J365", true), ("AAA0BBB,J0,J365", false), ("AAA0BBB,J1,J366", false), ("AAA0BBB,0,365", true),
      ("AAA0BBB,0,366", false), ("AAA0BBB,0/167:59:59,365/-167:59:59", true), ("AAA0BBB,0/168,365", false),
      ("AAA0BBB,0,365/-168", false), ("AAA0BBB,0/1:60,365", false), ("AAA0BBB,0/1:00:60,365", false), ("AAA24", true),
      ("AAA24:59:59", true), ("AAA25", false), ("AAA-24:59:59", true), ("AAA-25", false), ("AAA0BBB24,0,1", true),
      ("AAA0BBB25,0,1", false), ("AA0", false), ("AAA0BB,0,1", false), ("<A>0", true), ("<>0", false),
      ("<A0", false), ("<+-0aZ>0", true), ("<A_>0", false), ("A1A0", false), ("AAA0BBB,0", false),
      ("AAA0BBB,0,1,", false),
      ("AAA0BBB,0,1/", false), ("AAA0BBB,0/+1,1/-1", true), ("AAA0BBB", false), ("AAA0BBB1", false), ("AAA", false),
      ("aaazzzAAAZZZ0", true), ("[[[0", false), ("@@@0", false), ("```0", false), ("{{{0", false), ("AAA/", false),
      ("AAA:", false), ("", false), ("AAA1 ", false), ("AAA-+1", false), ("AAA+-1", false), ("AAA1:", false),
      ("AAA1:60", false), ("AAA1:00:60", false), ("AAA-24:00:00:00", false), ("<A B>1", false),
      ("AAA-999999999999999999999", false), ("AAA0BBB,366,1", false),
    ] as [(String, Bool)])
  func ruleIsOneWithinItsBounds(_ text: String, _ isValid: Bool) throws {
    do {
      _ = try Zone(identifier: "Test", posixRule: text)
      #expect(isValid)
    } catch {
      #expect(!isValid && error.reason == .malformed)
    }
  }
}
