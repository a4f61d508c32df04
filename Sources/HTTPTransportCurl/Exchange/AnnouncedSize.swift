// SPDX-License-Identifier: Apache-2.0

/// The size of a response body as announced in its head (RFC 9112 § 6.3).
struct AnnouncedSize {
  /// The value of `Content-Length`, or `nil` if absent.
  private var length: Int?
  /// Whether the body has a transfer coding.
  ///
  /// libcurl ends the transfer for any other coding than `chunked`.
  private(set) var isChunked = false
  /// Whether the body has a content encoding.
  private(set) var isEncoded = false
  private var hasInvalidLength = false

  /// Whether a relevant `Content-Length` is not a number, or differs from an earlier one.
  var isInvalid: Bool { hasInvalidLength && !isChunked }

  /// The size in bytes, or `nil` if the body ends with its last chunk or with the connection.
  var bytes: Int? { isChunked ? nil : length }

  /// The size in bytes, if no content encoding changes it.
  var decodedBytes: Int? { isEncoded ? nil : bytes }

  /// Reads a line of the head.
  mutating func read(_ line: Span<UInt8>) {
    // Most lines are other fields.
    guard !line.isEmpty, line[0] | 0x20 == UInt8(ascii: "c") || line[0] | 0x20 == UInt8(ascii: "t") else { return }
    if line.hasPrefix(ignoringCase: "content-length:") {
      readLength(line, from: 15)
    } else if line.hasPrefix(ignoringCase: "transfer-encoding:") {
      isChunked = true
    } else if line.hasPrefix(ignoringCase: "content-encoding:") {
      isEncoded = true
    }
  }

  /// Reads one number, or the same number several times, separated by commas (RFC 9110 § 8.6).
  private mutating func readLength(_ line: Span<UInt8>, from start: Int) {
    var index = start
    repeat {
      line.skipSpaces(&index)
      guard let number = line.takeNumber(&index), length == nil || length == number else {
        hasInvalidLength = true
        return
      }
      length = number
      line.skipSpaces(&index)
    } while line.take(UInt8(ascii: ","), &index)
    if index < line.count, line[index] != 0x0D, line[index] != 0x0A { hasInvalidLength = true }
  }
}

extension Span<UInt8> {
  fileprivate func skipSpaces(_ index: inout Int) {
    while index < count, self[index] == 0x20 || self[index] == 0x09 { index += 1 }
  }

  fileprivate func take(_ byte: UInt8, _ index: inout Int) -> Bool {
    guard index < count, self[index] == byte else { return false }
    index += 1
    return true
  }

  /// Reads digits, or returns `nil` if there are none.
  ///
  /// A number too large for an integer becomes the largest integer.
  fileprivate func takeNumber(_ index: inout Int) -> Int? {
    let start = index
    var number = 0
    while index < count, self[index] >= 0x30, self[index] <= 0x39 {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      number = overflow || tens > .max - 9 ? .max : tens + Int(self[index] - 0x30)
      index += 1
    }
    return index == start ? nil : number
  }
}
