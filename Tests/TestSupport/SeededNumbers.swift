// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A stream of numbers that is the same in every run: SplitMix64.
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

  /// The number of random inputs for an oracle: `ORACLE_ROUNDS`, or a small default.
  package static let rounds = ProcessInfo.processInfo.environment["ORACLE_ROUNDS"].flatMap(Int.init) ?? 3_000

  /// Returns `text` with one to three of its bytes changed, removed or preceded by another of `bytes`.
  package mutating func damaged(_ text: [UInt8], with bytes: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      let place = Int.random(in: 0..<text.count, using: &self)
      let byte = bytes[Int.random(in: 0..<bytes.count, using: &self)]
      switch Int.random(in: 0..<3, using: &self) {
      case 0: text[place] = byte
      case 1: text.remove(at: place)
      default: text.insert(byte, at: place)
      }
    }
    return text
  }

  /// Returns up to `length` bytes of `alphabet`, and now and then any byte.
  package mutating func bytes(upTo length: Int, of alphabet: String) -> [UInt8] {
    let alphabet = Array(alphabet.utf8)
    return (0..<Int.random(in: 0...length, using: &self)).map { _ in
      Int.random(in: 0..<16, using: &self) == 0
        ? UInt8(truncatingIfNeeded: next()) : alphabet[Int.random(in: 0..<alphabet.count, using: &self)]
    }
  }
}
