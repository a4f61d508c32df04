// SPDX-License-Identifier: Apache-2.0

/// A generator of the same numbers in every run, by SplitMix64.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `length` characters of `alphabet`.
  package mutating func text(_ length: Int, of alphabet: String) -> String {
    let characters = Array(alphabet.unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<length { text.append(characters[Int.random(in: 0..<characters.count, using: &self)]) }
    return String(text)
  }
}

package enum Workload {
  /// The number of different texts of a path: a million, which the processor's branch predictor cannot learn.
  ///
  /// Instructions are counted with fewer, because every one of them is the same for the counter.
  package static let texts = Counting.isActive ? 1000 : 1_000_000
}

package enum Alphabet {
  package static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
  package static let token = letters + "0123456789-_"
  package static let hex = "0123456789abcdefABCDEF"
}
