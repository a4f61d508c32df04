// SPDX-License-Identifier: Apache-2.0

/// The work that a search for occurrences may take.
///
/// A rule of a few bytes can name an occurrence in thousands of years, or none among billions of times that have to be looked at. So each
/// look at a month, a day or a time is a step, and a search has a number of them, with more for each occurrence that it finds.
struct SearchBudget {
  /// A rule that never matches, such as one for 30 February, takes 96,000 steps to the year 9999.
  private static let steps = 250_000
  private static let stepsPerOccurrence = 1_000

  private var left = Self.steps

  /// Whether the search has to end.
  var isSpent: Bool { left < 0 }

  mutating func spend(_ steps: Int = 1) { left -= steps }

  mutating func noteOccurrence() { if !isSpent { left += Self.stepsPerOccurrence } }
}
