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
  /// - Parameter timestamp: The instant; fractions of a second are cut off. Beyond the years 0 to 9999, which the format
  ///   cannot write, the nearest day that it can is written.
  public static func format(_ timestamp: Timestamp) -> String {
    let (whole, rest) = timestamp.secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    let date = CivilDate(daysSince1970: Int(rest < 0 ? whole - 1 : whole))
    let second = Int(rest < 0 ? rest + 86_400 : rest)
    return "\(weekday(of: date)), \(padded(date.day)) \(months[date.month - 1]) \(padded(date.year, to: 4)) "
      + "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60)) GMT"
  }

  /// Reads an IMF-fixdate.
  ///
  /// - Returns: The instant, or `nil` if the text is anything else, the two obsolete formats included.
  public static func parse(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[5] == "GMT",
      let day = number(parts[1], digits: 2),
      let month = months.firstIndex(of: String(parts[2])),
      let year = number(parts[3], digits: 4),
      let date = CivilDate(year: year, month: month + 1, day: day),
      parts[0].hasSuffix(","), weekdays.contains(String(parts[0].dropLast()))
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2), hour < 24,
      let minute = number(time[1], digits: 2), minute < 60, let second = number(time[2], digits: 2), second <= 60
    else { return nil }
    return date.startOfDay + .seconds(hour * 3600 + minute * 60 + second)
  }

  private static func weekday(of date: CivilDate) -> String {
    // 0000-01-01, the first day there is, was a Saturday.
    weekdays[(date.daysSince1970 - CivilDate.min.daysSince1970 + 5) % 7]
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
  }

  private static func padded(_ value: Int, to width: Int = 2) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
