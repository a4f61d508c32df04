// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Tests that any bytes are parsed like by a plain parser, and that a time survives writing and parsing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The fuzzer lends `count` bytes, and the address sanitizer guards their ends.
  let input = unsafe UnsafeBufferPointer(start: start, count: count)
  let time = try? OffsetDateTime(rfc3339: unsafe input.span)
  let expected = PlainRFC3339.read(Array(input))
  precondition(time?.timestamp.secondsSince1970 == expected?.seconds)
  precondition(time?.timestamp.nanoseconds == expected?.nanoseconds)
  precondition(time?.offsetSeconds == expected?.offset)
  // The leap second at the end of the year 9999 cannot be written.
  if let time, time.date.adding(days: 1) > time.date { precondition((try? OffsetDateTime(rfc3339: "\(time)")) == time) }
  if let day = try? CivilDate(rfc3339: unsafe input.span) {
    precondition(day.description.utf8.elementsEqual(input))
    precondition(CivilDate(daysSince1970: day.daysSince1970) == day)
  }
  return 0
}
