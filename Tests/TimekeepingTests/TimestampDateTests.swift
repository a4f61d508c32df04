// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Timekeeping

struct TimestampDateTests {
  @Test(
    arguments: [
      (0, 0, -978_307_200), (978_307_200, 0, 0), (978_307_199, 500_000_000, -0.5), (978_307_200, 250_000_000, 0.25),
      (-62_135_596_800, 0, -63_113_904_000), (1_767_225_600, 125_000_000, 788_918_400.125),
    ] as [(Int64, Int32, TimeInterval)])
  func isTheSameInstant(seconds: Int64, nanoseconds: Int32, sinceReferenceDate: TimeInterval) {
    let timestamp = Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds)
    #expect(Date(timestamp) == Date(timeIntervalSinceReferenceDate: sinceReferenceDate))
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: sinceReferenceDate)) == timestamp)
  }

  @Test("A date comes back, digit by digit", arguments: [0.1, 1 / 3, 0.999_999_999, 0.000_000_1] as [Double])
  func dateComesBack(fraction: Double) {
    for seconds in [-63_113_904_000.0, -978_307_200, -20_000_000, 20_000_000, 788_918_400, 252_423_993_600] {
      var date = Date(timeIntervalSinceReferenceDate: seconds + fraction)
      for _ in 0..<100 {
        #expect(Date(Timestamp(date)) == date)
        date = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp)
      }
    }
    for date in [Date.distantPast, .distantFuture] { #expect(Date(Timestamp(date)) == date) }
  }

  @Test(
    "A fraction is rounded to the nearest nanosecond",
    arguments: [(0.6e-9, 0, 1), (0.4e-9, 0, 0), (1 - 0.4e-9, 1, 0)])
  func fractionIsRounded(sinceReferenceDate: TimeInterval, seconds: Int64, nanoseconds: Int32) {
    let timestamp = Timestamp(Date(timeIntervalSinceReferenceDate: sinceReferenceDate))
    #expect(timestamp == Timestamp(secondsSince1970: 978_307_200 + seconds, nanoseconds: nanoseconds))
  }

  @Test func timestampComesBackToTheResolutionOfADate() {
    for nanoseconds in stride(from: Int32(0), to: 1_000_000_000, by: 7_654_321) {
      let timestamp = Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: nanoseconds)
      let distance = Timestamp(Date(timestamp)) - timestamp
      #expect(max(distance, .zero - distance) <= .nanoseconds(61))
    }
  }

  @Test(
    arguments: [
      (.infinity, Int64.max), (1e300, .max), (-.infinity, .min), (-1e300, .min), (.nan, 0), (9.3e18, .max),
    ] as [(Double, Int64)])
  func dateBeyondTheRangeIsItsEnd(sinceReferenceDate: Double, seconds: Int64) {
    #expect(Timestamp(Date(timeIntervalSinceReferenceDate: sinceReferenceDate)).secondsSince1970 == seconds)
    for end in [Int64.min, .max] { #expect(abs(Date(Timestamp(secondsSince1970: end)).timeIntervalSince1970) > 9e18) }
  }

  @Test func dateHasADayAndATimeInAZone() throws {
    let date = Date(try Timestamp(rfc3339: "2026-03-01T21:30:00Z"))
    let zone = try #require(TimeZone(secondsFromGMT: 9000))
    #expect(OffsetDateTime(date, in: zone) == (try OffsetDateTime(rfc3339: "2026-03-02T00:00:00+02:30")))
    #expect(CivilDate(date, in: zone) == (try CivilDate(rfc3339: "2026-03-02")))
    #expect(CivilDate(date, in: .gmt) == (try CivilDate(rfc3339: "2026-03-01")))
  }
}
