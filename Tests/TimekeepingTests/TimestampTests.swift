// SPDX-License-Identifier: Apache-2.0

import Testing
import Timekeeping

struct TimestampTests {
  @Test(
    arguments: [
      (5, -1, 4, 999_999_999), (5, -999_999_999, 4, 1), (5, -1_000_000_000, 4, 0), (5, -1_000_000_001, 3, 999_999_999),
      (5, 1_000_000_000, 6, 0), (5, .max, 7, 147_483_647), (5, .min, 2, 852_516_352), (5, 999_999_999, 5, 999_999_999),
      (.max, .max, .max, 147_483_647), (.min, -1, .min, 999_999_999),
    ] as [(Int64, Int32, Int64, Int32)])
  func nanosecondsCarryOver(seconds: Int64, nanoseconds: Int32, carriedSeconds: Int64, rest: Int32) {
    let timestamp = Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds)
    #expect(timestamp.secondsSince1970 == carriedSeconds)
    #expect(timestamp.nanoseconds == rest)
  }

  @Test(
    arguments: [
      (.milliseconds(1500), 1, 500_000_000), (.milliseconds(-1500), -2, 500_000_000),
      (.nanoseconds(-1), -1, 999_999_999),
      (.nanoseconds(1), 0, 1), (.seconds(-1), -1, 0), (.zero, 0, 0), (.nanoseconds(999_999_999), 0, 999_999_999),
      (.nanoseconds(-999_999_999), -1, 1), (.seconds(Int64.max), .max, 0), (.seconds(Int64.max - 1), .max - 1, 0),
      (.seconds(Int64.min + 1), .min + 1, 0),
    ] as [(Duration, Int64, Int32)])
  func additionCarriesBothWays(duration: Duration, seconds: Int64, nanoseconds: Int32) {
    let sum = Timestamp.unixEpoch + duration
    #expect(sum == Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds))
    #expect(sum - Timestamp.unixEpoch == duration)
    #expect(sum - duration == .unixEpoch)
    #expect((Timestamp.unixEpoch < sum) == (duration > .zero))
  }

  @Test(
    "Durations whose seconds are the last that fit into 64 bits, or beyond them",
    arguments: [
      Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999), .seconds(1e19),
      .seconds(Int64.max),
    ])
  func sumStopsAtTheEndOfTheRange(duration: Duration) {
    for start in [Timestamp.unixEpoch, Timestamp(secondsSince1970: .max, nanoseconds: 999_999_999)] {
      #expect((start + duration).secondsSince1970 == .max)
      #expect((.unixEpoch - duration).secondsSince1970 <= -.max)
    }
    let first = Timestamp(secondsSince1970: .min)
    #expect((first - duration).secondsSince1970 == .min)
    #expect((first + (.zero - duration)).secondsSince1970 == .min)
    #expect((.unixEpoch - (.zero - duration)).secondsSince1970 == .max)
  }

  @Test func lowestDurationHasNoNegativeButCanBeSubtracted() {
    #expect((.unixEpoch - Duration(attoseconds: .min)).secondsSince1970 == .max)
  }

  @Test func lessThanANanosecondIsCutOff() {
    let almost = Duration(secondsComponent: 0, attosecondsComponent: 999_999_999)
    #expect(Timestamp.unixEpoch + almost == .unixEpoch)
    #expect(
      Timestamp.unixEpoch + (.nanoseconds(1) + almost) == Timestamp(secondsSince1970: 0, nanoseconds: 1))
  }

  @Test("What is beyond the last second has no nanoseconds of it")
  func clampedSumHasNoNanoseconds() {
    let last = Duration(secondsComponent: .max, attosecondsComponent: 0)
    for duration in [last, last + .nanoseconds(7), last + .seconds(7)] {
      #expect(Timestamp.unixEpoch + duration == Timestamp(secondsSince1970: .max))
    }
    let first = Duration(secondsComponent: .min, attosecondsComponent: 0)
    for duration in [first, first - .nanoseconds(7), first - .seconds(7)] {
      #expect(Timestamp.unixEpoch + duration == Timestamp(secondsSince1970: .min))
    }
  }

  @Test func distanceStopsAtTheEndOfTheRange() {
    let (first, last) = (Timestamp(secondsSince1970: .min), Timestamp(secondsSince1970: .max))
    #expect(last - first == .seconds(Int64.max))
    #expect(first - last == .seconds(Int64.min))
    #expect(first + (last - first) < last)
    #expect(Timestamp.unixEpoch - first == .seconds(Int64.max))
    #expect(first - Timestamp.unixEpoch == .seconds(Int64.min))
    #expect(first - Timestamp(secondsSince1970: 1) == .seconds(Int64.min))
  }

  @Test func assignmentMovesTheInstant() {
    var time = Timestamp.unixEpoch
    time += .seconds(3)
    time -= .seconds(1)
    #expect(time == Timestamp(secondsSince1970: 2))
  }

  @Test func nanosecondsDecideWhereSecondsAgree() {
    #expect(Timestamp(secondsSince1970: 1, nanoseconds: 1) < Timestamp(secondsSince1970: 1, nanoseconds: 2))
    #expect(Timestamp(secondsSince1970: 1, nanoseconds: 2) < Timestamp(secondsSince1970: 2, nanoseconds: 1))
  }
}
