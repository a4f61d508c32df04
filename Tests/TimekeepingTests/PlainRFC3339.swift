// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The grammar of RFC 3339, read plainly: what the hot path is compared with, here and by the fuzzer.
enum PlainRFC3339 {
  /// Reads by the grammar of RFC 3339 § 5.6, a character at a time; `nil` for what it does not allow.
  static func read(_ bytes: [UInt8]) -> (seconds: Int64, nanoseconds: Int32, offset: Int)? {
    var rest = bytes[...]
    func number(_ width: Int, _ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(width)
      let value = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
      return range.contains(value) ? value : nil
    }
    func character(_ allowed: String) -> UInt8? {
      guard let first = rest.first, allowed.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = number(4, 0...9999), character("-") != nil, let month = number(2, 1...12), character("-") != nil,
      let day = number(2, 1...daysInMonth(month, year)), character("Tt") != nil, let hour = number(2, 0...23),
      character(":") != nil, let minute = number(2, 0...59), character(":") != nil, let second = number(2, 0...60)
    else { return nil }
    var fraction: [UInt8] = []
    if character(".") != nil {
      fraction = Array(rest.prefix { (0x30...0x39).contains($0) })
      rest = rest.dropFirst(fraction.count)
      guard !fraction.isEmpty else { return nil }
    }
    var offset = 0
    if character("Zz") == nil {
      guard let sign = character("+-"), let hours = number(2, 0...23), character(":") != nil,
        let minutes = number(2, 0...59)
      else { return nil }
      offset = (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    let days = CivilDate(year: year, month: month, day: day)?.daysSince1970 ?? 0
    let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    if second == 60 {
      guard seconds % 86_400 == 0 else { return nil }
      // The first and the last year end where `CivilDate` does: there one of the two days next to the second is missing.
      let (last, next) = (Int(seconds / 86_400) - 1, Int(seconds / 86_400))
      let ending = CivilDate(daysSince1970: last)
      guard CivilDate(daysSince1970: next).day == 1 || ending.day == daysInMonth(ending.month, ending.year) else {
        return nil
      }
    }
    let digits = (fraction + [UInt8](repeating: 0x30, count: 9)).prefix(9)
    return (seconds, digits.reduce(0) { $0 * 10 + Int32($1) - 0x30 }, offset)
  }

  static func daysInMonth(_ month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}
