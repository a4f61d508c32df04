// SPDX-License-Identifier: Apache-2.0

/// A square [PNG](https://www.w3.org/TR/png-3/) image with a palette of at most four colors.
struct PNG {
  /// The bytes of the file.
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Draws an image.
  ///
  /// - Parameters:
  ///   - side: The width and height in pixels, a multiple of 4 and at most 508.
  ///   - palette: The red, green, blue and opacity of each color.
  ///   - color: Returns the palette index for a column and a row.
  init(side: Int, palette: [(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8)], color: (Int, Int) -> Int) {
    // § 11.2.1: 2 bits per sample, indexed color, and the only methods that are defined.
    append("IHDR", Self.bigEndian(UInt32(side)) + Self.bigEndian(UInt32(side)) + [2, 3, 0, 0, 0])
    append("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] })
    append("tRNS", palette.map(\.opacity))
    append("IDAT", Self.zlib(Self.scanlines(side: side, color: color)))
    append("IEND", [])
  }

  /// § 7.2: four pixels per byte.
  ///
  /// Each row begins with the filter type None.
  private static func scanlines(side: Int, color: (Int, Int) -> Int) -> [UInt8] {
    (0..<side).flatMap { row in
      [0]
        + stride(from: 0, to: side, by: 4).map { column in
          (0..<4).reduce(UInt8(0)) { $0 << 2 | UInt8(color(column + $1, row)) }
        }
    }
  }

  /// § 5.3.
  private mutating func append(_ type: String, _ data: [UInt8]) {
    let checked = type.utf8 + data
    bytes += Self.bigEndian(UInt32(data.count)) + checked + Self.bigEndian(Self.checksum(checked))
  }

  /// Returns the data as a zlib stream of one uncompressed block
  /// ([RFC 1950 § 2.2](https://www.rfc-editor.org/rfc/rfc1950.html#section-2.2),
  /// [RFC 1951 § 3.2.4](https://www.rfc-editor.org/rfc/rfc1951.html#section-3.2.4)).
  private static func zlib(_ data: [UInt8]) -> [UInt8] {
    let count = UInt16(data.count)
    let length = [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
    var (sum, sums): (UInt32, UInt32) = (1, 0)
    for byte in data {
      sum = (sum + UInt32(byte)) % 65521
      sums = (sums + sum) % 65521
    }
    return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + data + bigEndian(sums << 16 | sum)
  }

  /// CRC-32, § 5.5.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
