public import Timekeeping

/// The date and time format of HTTP fields such as `Date` and `Retry-After`
/// ([RFC 9110 § 5.6.7](https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7)).
public enum HTTPDate {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Writes an instant as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter timestamp: The instant; fractions of a second are cut off.
  public static func format(_ timestamp: Timestamp) -> String {
    let (day, second) = timestamp.secondsSince1970.floorDivided(by: 86_400)
    let date = civil(fromDay: day)
    // 1970-01-01 was a Thursday.
    let weekday = Int((day + 3).floorDivided(by: 7).remainder)
    return
      "\(weekdays[weekday]), \(padded(date.day, 2)) \(months[Int(date.month) - 1]) \(padded(date.year, 4)) "
      + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2)) GMT"
  }

  /// Reads an IMF-fixdate.
  ///
  /// - Returns: The instant, or `nil` if the text is anything else, the two obsolete formats included.
  public static func parse(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(","), weekdays.contains(String(parts[0].dropLast())),
      let day = number(parts[1], digits: 2, 1...31),
      let month = months.firstIndex(of: String(parts[2])),
      let year = number(parts[3], digits: 4, 0...9999)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2, 0...23),
      let minute = number(time[1], digits: 2, 0...59), let second = number(time[2], digits: 2, 0...60)
    else { return nil }
    let days = Self.day(year: year, month: Int64(month) + 1, day: day)
    guard civil(fromDay: days) == (year, Int64(month) + 1, day) else { return nil }
    return Timestamp(secondsSince1970: days * 86_400 + hour * 3600 + minute * 60 + second)
  }

  private static func number(_ text: Substring, digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int64(text),
      range.contains(value)
    else { return nil }
    return value
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // Days since 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = year.floorDivided(by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (day + 719_468).floorDivided(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
