// SPDX-License-Identifier: Apache-2.0

/// A time of day in English: `12:30`, `7pm`, `7:15am`, `noon`.
struct QuickAddTime {
  /// Minutes after midnight, as far as the half of the day is known.
  private(set) var minute: Int
  /// Whether the half of the day was named, or the clock has 24 hours.
  private let isDefinite: Bool

  /// - Parameter isNamed: Whether the text says that this is a time, so that a number alone is an hour.
  init?(_ text: String, isNamed: Bool) {
    switch text {
    case "noon": (minute, isDefinite) = (720, true)
    case "midnight": (minute, isDefinite) = (0, true)
    default:
      let half = ["am", "pm"].first { text.hasSuffix($0) }
      let parts = text.dropLast(half == nil ? 0 : 2).split(separator: ":", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), parts.count == 2 || half != nil || isNamed,
        let hour = Self.number(parts[0]), let minutes = parts.count == 2 ? Self.number(parts[1]) : 0,
        (half == nil ? 0...23 : 1...12).contains(hour), (0...59).contains(minutes),
        parts.count == 1 || parts[1].utf8.count == 2
      else { return nil }
      minute = (half == nil ? hour : hour % 12 + (half == "pm" ? 12 : 0)) * 60 + minutes
      isDefinite = half != nil || parts.count == 2 || hour > 12
    }
  }

  /// Reads a time, or two with `-` between them.
  static func range(_ text: String, isNamed: Bool) -> (start: Int, end: Int?)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      return parts.count == 1 ? QuickAddTime(text, isNamed: isNamed).map { ($0.minute, nil) } : nil
    }
    guard var first = QuickAddTime(parts[0], isNamed: true),
      let last = QuickAddTime(parts[1], isNamed: isNamed || first.isDefinite)
    else { return nil }
    // 7-9pm: both in the same half of the day.
    if !first.isDefinite, last.minute >= 720, first.minute + 720 < last.minute { first.minute += 720 }
    return (first.minute, last.minute)
  }

  private static func number(_ text: Substring) -> Int? {
    (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
