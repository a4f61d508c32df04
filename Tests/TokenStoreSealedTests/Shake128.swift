// SPDX-License-Identifier: Apache-2.0

/// The extendable-output function SHAKE128 ([FIPS 202](https://csrc.nist.gov/pubs/fips/202/final)), by which the accumulated vectors
/// generate their messages and hash the results.
struct Shake128 {
  private static let rate = 168
  private var state = [UInt64](repeating: 0, count: 25)
  private var position = 0
  private var isSqueezing = false

  /// Absorbs bytes.
  ///
  /// Call it before ``read(_:)`` only.
  mutating func write(_ bytes: [UInt8]) {
    for byte in bytes {
      state[position / 8] ^= UInt64(byte) << UInt64(position % 8 * 8)
      position += 1
      if position == Self.rate { permute() }
    }
  }

  /// Returns the next bytes of the output.
  mutating func read(_ count: Int) -> [UInt8] {
    if !isSqueezing {
      isSqueezing = true
      state[position / 8] ^= 0x1F << UInt64(position % 8 * 8)
      state[20] ^= 1 << 63
      permute()
    }
    return (0..<count).map { _ in
      if position == Self.rate { permute() }
      defer { position += 1 }
      return UInt8(truncatingIfNeeded: state[position / 8] >> UInt64(position % 8 * 8))
    }
  }

  /// Keccak-f[1600].
  private mutating func permute() {
    position = 0
    for constant in Self.roundConstants {
      var columns = Array(state[..<5])
      for lane in 5..<25 { columns[lane % 5] ^= state[lane] }
      for x in 0..<5 {
        let parity = columns[(x + 4) % 5] ^ Self.rotated(columns[(x + 1) % 5], 1)
        for y in stride(from: x, to: 25, by: 5) { state[y] ^= parity }
      }
      var moved = state[1]
      for (lane, count) in Self.moves {
        (state[lane], moved) = (Self.rotated(moved, count), state[lane])
      }
      for y in stride(from: 0, to: 25, by: 5) {
        let (first, second) = (state[y], state[y + 1])
        for x in y..<y + 3 { state[x] ^= ~state[x + 1] & state[x + 2] }
        state[y + 3] ^= ~state[y + 4] & first
        state[y + 4] ^= ~first & second
      }
      state[0] ^= constant
    }
  }

  private static func rotated(_ lane: UInt64, _ count: UInt64) -> UInt64 { lane << count | lane >> (64 - count) }

  /// The lanes in the order of ρ and π, each with its rotation.
  private static let moves: [(Int, UInt64)] = [
    (10, 1), (7, 3), (11, 6), (17, 10), (18, 15), (3, 21), (5, 28), (16, 36), (8, 45), (21, 55), (24, 2), (4, 14),
    (15, 27), (23, 41), (19, 56), (13, 8), (12, 25), (2, 43), (20, 62), (14, 18), (22, 39), (9, 61), (6, 20), (1, 44),
  ]

  private static let roundConstants: [UInt64] = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000, 0x0000_0000_0000_808B,
    0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009, 0x0000_0000_0000_008A, 0x0000_0000_0000_0088,
    0x0000_0000_8000_8009, 0x0000_0000_8000_000A, 0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089,
    0x8000_0000_0000_8003, 0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
  ]
}
