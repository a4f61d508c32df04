// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Tests that any bytes are parsed like by a plain parser, and that a time survives writing and parsing.
func fuzz(_ input: [UInt8]) {
  let time = try? OffsetDateTime(rfc3339: input.span)
  let expected = PlainRFC3339.read(input)
  precondition(time?.timestamp.secondsSince1970 == expected?.seconds)
  precondition(time?.timestamp.nanoseconds == expected?.nanoseconds)
  precondition(time?.offsetSeconds == expected?.offset)
  // The leap second at the end of the year 9999 cannot be written.
  if let time, time.date.adding(days: 1) > time.date { precondition((try? OffsetDateTime(rfc3339: "\(time)")) == time) }
  if let day = try? CivilDate(rfc3339: input.span) {
    precondition(day.description.utf8.elementsEqual(input))
    precondition(CivilDate(daysSince1970: day.daysSince1970) == day)
  }
}
