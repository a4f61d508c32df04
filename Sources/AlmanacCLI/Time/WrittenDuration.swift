// SPDX-License-Identifier: Apache-2.0

/// A duration that a user wrote: numbers with `w`, `d`, `h` or `m`, such as `90m`, `1h30m` and `2d`.
package struct WrittenDuration: Sendable, Hashable {
  package let seconds: Int

  /// What a text looks like, for a help or a message.
  static let forms = "90m, 1h30m or 2d"

  /// Reads a duration; `nil` if the text is none, or is longer than a hundred years.
  package init?(_ text: String) {
    var rest = text.lowercased()[...]
    var sum = 0
    repeat {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 8, let number = Int(digits), let unit = rest.popFirst(), let length = Self.lengths[unit]
      else { return nil }
      sum += number * length
    } while !rest.isEmpty
    guard (1...36_525 * 86_400).contains(sum) else { return nil }
    seconds = sum
  }

  /// The duration in days; `nil` if it is not a whole number of them.
  var days: Int? { seconds % 86_400 == 0 ? seconds / 86_400 : nil }

  private static let lengths: [Character: Int] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60]
}
