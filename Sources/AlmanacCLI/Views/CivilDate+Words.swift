package import Timekeeping

extension CivilDate {
  private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The English name of the day of the week.
  package var weekday: String {
    // 1970-01-01 was a Thursday.
    Self.weekdays[((daysSince1970 % 7) + 7) % 7]
  }

  /// `Monday, 23 November 2026`.
  package var inWords: String { "\(weekday), \(day) \(Self.months[month - 1]) \(year)" }
}
