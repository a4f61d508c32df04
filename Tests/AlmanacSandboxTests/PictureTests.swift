// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Testing

/// The picture of a user who has none, read as a [PNG](https://www.w3.org/TR/png-3/) file by what the specifications say.
@Suite struct PictureTests {
  private typealias Chunk = (type: String, data: [UInt8], checksum: UInt32)

  private func chunks() async throws -> [Chunk] {
    let response = try await SandboxHarness().get("/picture.png").response
    #expect(response.status == 200 && response.fields["Content-Type"] == "image/png")
    #expect(response.body.starts(with: [0x89] + "PNG\r\n\u{1A}\n".utf8))
    var rest = response.body.dropFirst(8)
    var chunks: [Chunk] = []
    while rest.count >= 12 {
      let length = Int(number(rest.prefix(4)))
      try #require(rest.count >= length + 12)
      let named = Array(rest.dropFirst(4).prefix(length + 4))
      chunks.append(
        (
          String(decoding: named.prefix(4), as: UTF8.self), Array(named.dropFirst(4)),
          number(rest.dropFirst(length + 8).prefix(4))
        ))
      rest = rest.dropFirst(length + 12)
    }
    #expect(rest.isEmpty)
    return chunks
  }

  private func number(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  /// CRC-32, a bit at a time: the remainder of a polynomial division, all bits reversed.
  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      for bit in 0..<8 {
        let isOdd = (remainder ^ UInt32(byte >> bit)) & 1 == 1
        remainder >>= 1
        if isOdd { remainder ^= 0xEDB8_8320 }
      }
    }
    return ~remainder
  }

  @Test func everyChunkIsThereWithItsChecksum() async throws {
    #expect(checksum(Array("123456789".utf8)) == 0xCBF4_3926, "the check value of CRC-32")
    let chunks = try await chunks()
    #expect(chunks.map(\.type) == ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"])
    for chunk in chunks { #expect(chunk.checksum == checksum(chunk.type.utf8 + chunk.data), "\(chunk.type)") }
    #expect(chunks.first?.data == [0, 0, 0, 192, 0, 0, 0, 192, 2, 3, 0, 0, 0], "two bits a pixel, of a palette")
    #expect(chunks.last?.data.isEmpty == true)
  }

  @Test func rowsAreThePicture() async throws {
    let chunks = try await chunks()
    let stream = try #require(chunks.first { $0.type == "IDAT" }).data
    // RFC 1950 § 2.2: deflate, a check of the two bytes, no dictionary. RFC 1951 § 3.2.4: the last block, which is stored.
    try #require(stream.count > 11)
    #expect(stream[0] & 0x0F == 8 && number(stream.prefix(2)) % 31 == 0 && stream[1] & 0x20 == 0)
    #expect(stream[2] == 1)
    let length = UInt16(stream[3]) | UInt16(stream[4]) << 8
    #expect(~length == UInt16(stream[5]) | UInt16(stream[6]) << 8)
    let data = Array(stream.dropFirst(7).dropLast(4))
    #expect(data.count == Int(length) && data.count == 192 * 49)
    // RFC 1950 § 8.2: the sum of the bytes and one, and the sum of these sums.
    let sum = data.reduce(1) { $0 + Int($1) }
    let sums = data.enumerated().reduce(data.count) { $0 + (data.count - $1.offset) * Int($1.element) }
    #expect(number(stream.suffix(4)) == UInt32((sums % 65521) << 16 | sum % 65521))

    let rows = stride(from: 0, to: data.count, by: 49).map { Array(data[$0..<$0 + 49]) }
    #expect(rows.allSatisfy { $0[0] == 0 }, "no filter")
    let pixels = rows.map { row in row.dropFirst().flatMap { byte in [6, 4, 2, 0].map { byte >> $0 & 3 } } }
    let expected = [(0, 0, 0), (5, 96, 1), (74, 96, 2), (150, 96, 2), (74, 65, 2), (74, 60, 1)]
    for (row, column, color) in expected { #expect(pixels[row][column] == color) }
    #expect(pixels.allSatisfy { $0.dropFirst() == ArraySlice($0.dropFirst().reversed()) }, "both halves are the same")
    let palette = chunks.filter { ["PLTE", "tRNS"].contains($0.type) }.map(\.data.count)
    #expect(palette == [9, 3] && pixels.joined().allSatisfy { $0 < 3 })
  }
}
