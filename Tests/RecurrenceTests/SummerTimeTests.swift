// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

/// Series across changes of the clocks, in the zones of the system's database.
struct SummerTimeTests {
  @Test(arguments: [
    // The clocks go from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on 25 October.
    ("Europe/Zurich", "20260328T090000", "FREQ=DAILY", ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z"]),
    (
      "Europe/Zurich", "20260328T023000", "FREQ=DAILY",
      ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]
    ),
    (
      "Europe/Zurich", "20261024T023000", "FREQ=DAILY",
      ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
    ),
    (
      "Europe/Zurich", "20260329T010000", "FREQ=HOURLY",
      ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"]
    ),
    (
      "Europe/Zurich", "20260329T013000", "FREQ=MINUTELY;INTERVAL=30",
      // 02:30, which is skipped, is 03:30, and comes after 03:00.
      ["2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", "2026-03-29T02:00:00Z"]
    ),
    (
      "Europe/Zurich", "20260329T015000", "FREQ=MINUTELY;INTERVAL=25",
      // 02:15 is 03:15 and comes after 03:05; 02:40 is 03:40 and comes after 03:30.
      [
        "2026-03-29T00:50:00Z", "2026-03-29T01:05:00Z", "2026-03-29T01:15:00Z", "2026-03-29T01:30:00Z",
        "2026-03-29T01:40:00Z", "2026-03-29T01:55:00Z",
      ]
    ),
    // 8 March and 1 November 2026.
    (
      "America/New_York", "20260307T023000", "FREQ=DAILY",
      ["2026-03-07T07:30:00Z", "2026-03-08T07:30:00Z", "2026-03-09T06:30:00Z"]
    ),
    (
      "America/New_York", "20261031T013000", "FREQ=DAILY",
      ["2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]
    ),
    // Half an hour: from 02:00 to 02:30 on 4 October 2026, from 02:00 to 01:30 on 5 April.
    (
      "Australia/Lord_Howe", "20261003T021500", "FREQ=DAILY",
      ["2026-10-02T15:45:00Z", "2026-10-03T15:45:00Z", "2026-10-04T15:15:00Z"]
    ),
    (
      "Australia/Lord_Howe", "20260404T014500", "FREQ=DAILY",
      ["2026-04-03T14:45:00Z", "2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]
    ),
    // 30 December 2011 is skipped: what is on it comes on the 31st, once.
    (
      "Pacific/Apia", "20111229T100000", "FREQ=DAILY",
      ["2011-12-29T20:00:00Z", "2011-12-30T20:00:00Z", "2011-12-31T20:00:00Z"]
    ),
    // Midnight is skipped on 4 November 2018, and 23:00 to midnight comes twice on 17 February.
    (
      "America/Sao_Paulo", "20181103T001500", "FREQ=DAILY",
      ["2018-11-03T03:15:00Z", "2018-11-04T03:15:00Z", "2018-11-05T02:15:00Z"]
    ),
    ("America/Sao_Paulo", "20180217T233000", "FREQ=DAILY", ["2018-02-18T01:30:00Z", "2018-02-19T02:30:00Z"]),
  ])
  func series(name: String, start: String, rule: String, expected: [String]) throws {
    let set = try RecurrenceSet(start: time(start, in: zone(name)), rules: [RecurrenceRule(rule)])
    #expect(set.instants(expected.count) == expected)
    for (index, text) in expected.enumerated() {
      let rest = try set.occurrences(from: Timestamp(rfc3339: text)).prefix(expected.count - index)
      #expect(rest.map { $0.timestamp.rfc3339() } == Array(expected[index...]), "It is found from there, too.")
    }
  }

  @Test(arguments: [
    // 02:15 is 03:15, which is beyond the end; 03:05 is not.
    ("20260329T015000", 25, ["2026-03-29T00:50:00Z", "2026-03-29T01:05:00Z"]),
    ("20260329T013000", 30, ["2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"]),
  ])
  func untilBoundsTheInstantOfASkippedTime(start: String, interval: Int, expected: [String]) throws {
    let rule = try RecurrenceRule("FREQ=MINUTELY;INTERVAL=\(interval);UNTIL=20260329T011000Z")
    let set = try RecurrenceSet(start: time(start, in: zone("Europe/Zurich")), rules: [rule])
    #expect(set.instants(9) == expected)
  }
}
