// SPDX-License-Identifier: Apache-2.0

/// The times of day to which `BYHOUR`, `BYMINUTE` and `BYSECOND` limit a rule.
///
/// A part is such a limit only if the rule's period is not longer than the part's unit: an hour, a minute or a second.
struct TimeLimits {
  private let hours: UInt64
  private let minutes: UInt64
  private let seconds: UInt64
  /// Whether every time is allowed.
  let isNone: Bool

  init(_ rule: RecurrenceRule, isAllDay: Bool) {
    let limitsHour = !rule.byHour.isEmpty && rule.frequency <= .hourly && !isAllDay
    let limitsMinute = !rule.byMinute.isEmpty && rule.frequency <= .minutely && !isAllDay
    let limitsSecond = !rule.bySecond.isEmpty && rule.frequency == .secondly && !isAllDay
    hours = limitsHour ? Self.mask(rule.byHour) : (1 << 24) - 1
    minutes = limitsMinute ? Self.mask(rule.byMinute) : (1 << 60) - 1
    seconds = limitsSecond ? Self.mask(rule.bySecond) : (1 << 60) - 1
    isNone = !limitsHour && !limitsMinute && !limitsSecond
  }

  /// Returns a mask of numbers, where second 60 is read as 59 (RFC 5545 § 3.3.12).
  private static func mask(_ numbers: [Int]) -> UInt64 { numbers.reduce(0) { $0 | 1 << min($1, 59) } }

  /// Returns the first allowed time of day at or after a time, or `nil` if the day has none.
  @inline(__always)
  func first(onOrAfter time: Int64) -> Int64? {
    if isNone { return time }
    var (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    while let nextHour = hours.firstBit(from: hour) {
      if nextHour > hour { (hour, minute, second) = (nextHour, 0, 0) }
      while let nextMinute = minutes.firstBit(from: minute) {
        if nextMinute > minute { (minute, second) = (nextMinute, 0) }
        if let second = seconds.firstBit(from: second) { return hour * 3600 + minute * 60 + second }
        (minute, second) = (minute + 1, 0)
      }
      (hour, minute, second) = (hour + 1, 0, 0)
    }
    return nil
  }

  /// Returns whether any of the periods from `first` on, `step` seconds apart, is at an allowed time.
  ///
  /// The periods reach every time of day that differs from the first by a multiple of the greatest common divisor of the step
  /// and the length of a day.
  func canMeet(_ first: Int64, step: Int64, _ budget: inout SearchBudget) -> Bool {
    if isNone { return true }
    var (common, rest) = (step, Seconds.ofDay)
    while rest != 0 { (common, rest) = (rest, common % rest) }
    var (time, looks) = (first.remainder(by: common), 0)
    defer { budget.spend(looks / 4) }
    while time < Seconds.ofDay {
      looks += 1
      guard let next = self.first(onOrAfter: time) else { return false }
      if next == time { return true }
      time += (next - time).raised(by: common) * common
    }
    return false
  }

  /// Returns the times within each day of a rule, or within each period below a day.
  static func times(_ rule: RecurrenceRule, start: LocalDateTime, isAllDay: Bool) -> [Int64] {
    // RFC 5545 § 3.3.10: BYHOUR, BYMINUTE and BYSECOND are ignored if DTSTART is a date.
    func list(_ numbers: [Int], _ start: Int, below frequency: RecurrenceRule.Frequency) -> [Int64] {
      guard rule.frequency > frequency else { return [0] }
      return (numbers.isEmpty || isAllDay ? [start] : numbers.map { min($0, 59) }).map(Int64.init).uniqued()
    }
    let hours = list(rule.byHour, start.hour, below: .hourly)
    let minutes = list(rule.byMinute, start.minute, below: .minutely)
    let seconds = list(rule.bySecond, start.second, below: .secondly)
    return hours.flatMap { hour in
      minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
    }
  }
}

extension UInt64 {
  /// Returns the lowest set bit at or above an index.
  @inline(__always)
  fileprivate func firstBit(from index: Int64) -> Int64? {
    let rest = index < 64 ? self >> UInt64(index) : 0
    return rest == 0 ? nil : index + Int64(rest.trailingZeroBitCount)
  }
}
