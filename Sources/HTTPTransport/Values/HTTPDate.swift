// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The date and time format of HTTP fields such as `Date` and `Retry-After`
/// ([RFC 9110 § 5.6.7](https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7)).
public enum HTTPDate {
  private static let weekdays = Weekday.allCases.map { String($0.englishName.prefix(3)) }
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Writes an instant as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter timestamp: The instant. Fractions of a second are truncated. An instant outside the years 0 to 9999 is
  ///   written as the nearest day of that range.
  public static func format(_ timestamp: Timestamp) -> String {
    let (whole, rest) = timestamp.secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    let date = CivilDate(daysSince1970: Int(rest < 0 ? whole - 1 : whole))
    let second = Int(rest < 0 ? rest + 86_400 : rest)
    let weekday = weekdays[date.weekday.rawValue]
    return "\(weekday), \(padded(date.day)) \(months[date.month - 1]) \(padded(date.year, to: 4)) "
      + "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60)) GMT"
  }

  /// Parses a date in the preferred form or one of the two obsolete forms that a recipient must accept:
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Returns: The instant, or `nil` if the text has another form. A year of two digits is from 1970 to 2069.
  public static func parse(_ text: String) -> Timestamp? {
    let parts = text.split(ascii: " ", omittingEmptySubsequences: false)
    switch parts.count {
    case 6 where parts[5] == "GMT" && parts[0].hasSuffix(",") && weekdays.contains(String(parts[0].dropLast())):
      return instant(parts[1], parts[2], number(parts[3], digits: 4), parts[4])
    case 4 where parts[3] == "GMT" && parts[0].hasSuffix("day,") && weekdays.contains(String(parts[0].prefix(3))):
      let date = parts[1].split(ascii: "-", omittingEmptySubsequences: false)
      guard date.count == 3, let year = number(date[2], digits: 2) else { return nil }
      return instant(date[0], date[1], year + (year < 70 ? 2000 : 1900), parts[2])
    case 5 where weekdays.contains(String(parts[0])):
      return instant(parts[2], parts[1], number(parts[4], digits: 4), parts[3])
    case 6 where parts[2].isEmpty && weekdays.contains(String(parts[0])) && parts[3].utf8.count == 1:
      return instant("0" + parts[3], parts[1], number(parts[5], digits: 4), parts[4])
    default: return nil
    }
  }

  private static func instant(_ day: Substring, _ month: Substring, _ year: Int?, _ time: Substring) -> Timestamp? {
    let time = time.split(ascii: ":", omittingEmptySubsequences: false)
    guard let year, let month = months.firstIndex(of: String(month)), let day = number(day, digits: 2),
      let date = CivilDate(year: year, month: month + 1, day: day),
      time.count == 3, let hour = number(time[0], digits: 2), hour < 24,
      let minute = number(time[1], digits: 2), minute < 60, let second = number(time[2], digits: 2), second <= 60
    else { return nil }
    return date.startOfDayInUTC + .seconds(hour * 3600 + minute * 60 + second)
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
  }

  private static func padded(_ value: Int, to width: Int = 2) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
