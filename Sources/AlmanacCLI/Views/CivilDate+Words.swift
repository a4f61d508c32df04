// SPDX-License-Identifier: Apache-2.0

package import Timekeeping

extension CivilDate {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `Monday, 23 November 2026`.
  package var inWords: String { "\(weekday.englishName), \(day) \(Self.months[month - 1]) \(year)" }
}
