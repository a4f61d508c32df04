// SPDX-License-Identifier: Apache-2.0

/// A writer of gzip ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952.html)), either uncompressed or with an extreme compression
/// ratio.
enum Gzip {
  /// Returns `bytes` in uncompressed blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      result += [rest.isEmpty ? 1 : 0] + littleEndian(count) + littleEndian(~count) + block
    } while !rest.isEmpty
    return result + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// The beginning of an endless stream of zeros, and its repeating continuation, in which 13 bytes decode to 2 KiB.
  static var endlessZeros: (beginning: [UInt8], continuation: [UInt8]) {
    var writer = DeflateWriter()
    writer.literal(0)
    let start = writer.completeBytes
    for _ in 0..<(8 * 512) { writer.copy258(distance1: true) }
    // Eight copies are 13 bytes, so that the bit positions repeat.
    return (header + writer.bytes[..<start], Array(writer.bytes[start..<(start + 13 * 511)]))
  }

  /// The same stream within another gzip stream.
  static var endlessZerosTwice: (beginning: [UInt8], continuation: [UInt8]) {
    let inner = endlessZeros
    var writer = DeflateWriter()
    for byte in inner.beginning + inner.continuation.prefix(13) { writer.literal(byte) }
    let start = writer.completeBytes
    for _ in 0..<(8 * 512) { writer.copy258(distance1: false) }
    // Eight copies are 15 bytes.
    return (header + writer.bytes[..<start], Array(writer.bytes[start..<(start + 15 * 510)]))
  }

  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The CRC-32 of RFC 1952 § 8.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 1...8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
    return ~sum
  }
}

/// A block with fixed codes ([RFC 1951 § 3.2.6](https://www.rfc-editor.org/rfc/rfc1951.html#section-3.2.6)).
private struct DeflateWriter {
  private(set) var bytes: [UInt8] = []
  private var bitCount = 0

  /// The number of complete bytes.
  var completeBytes: Int { bitCount / 8 }

  init() {
    // Not the last block; fixed codes.
    for bit in [0, 1, 0] { append(bit) }
  }

  mutating func literal(_ byte: UInt8) {
    byte < 144 ? code(0x30 + Int(byte), bits: 8) : code(0x190 + Int(byte) - 144, bits: 9)
  }

  /// Repeats the last byte 258 times, or copies 258 bytes from 13 bytes back.
  mutating func copy258(distance1: Bool) {
    code(0b1100_0101, bits: 8)
    if distance1 {
      code(0, bits: 5)
    } else {
      // 13 to 16 are code 7 and two more bits.
      code(7, bits: 5)
      code(0, bits: 2)
    }
  }

  /// Codes are written with the highest bit first.
  private mutating func code(_ value: Int, bits: Int) {
    for bit in (0..<bits).reversed() { append(value >> bit & 1) }
  }

  private mutating func append(_ bit: Int) {
    if bitCount.isMultiple(of: 8) { bytes.append(0) }
    bytes[bitCount / 8] |= UInt8(bit << (bitCount % 8))
    bitCount += 1
  }
}
