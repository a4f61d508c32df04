// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A response that is valid but for a few mistakes, which a number chooses.
struct MutatedResponse: CustomStringConvertible {
  let bytes: [UInt8]

  init(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var bytes = Self.valid[Int(seed % UInt64(Self.valid.count))]
    // A few stay as they are: a valid response must be taken.
    for _ in 0..<Int.random(in: 0...3, using: &numbers) { Self.mutate(&bytes, &numbers) }
    self.bytes = bytes
  }

  var description: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  /// Whether the head is complete, has valid status lines, no NUL and a usable length, and is that of a final
  /// response (RFC 9112 § 2.1, § 4 and § 6.3).
  var hasValidHead: Bool {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()[...]
    while let line = lines.popFirst() {
      guard let status = Self.status(of: line), let end = lines.firstIndex(where: { $0.isEmpty || $0.first == 0x0D }),
        !lines[..<end].joined().contains(0)
      else { return false }
      guard (100..<200).contains(status), status != 101 else {
        return (200..<600).contains(status)
          && (status == 204 || status == 304 || !Self.hasUnusableLength(lines[..<end]))
      }
      lines = lines[(end + 1)...]
    }
    return false
  }

  private static func status(of line: ArraySlice<UInt8>) -> Int? {
    let text = String(decoding: line, as: UTF8.self)
    let match = text.wholeMatch(of: /HTTP\/[0-9]{1,3}(?:\.[0-9]{1,3})? ([0-9]{3})(?:[ \r](?s:.*))?/)
    return match.flatMap { Int($0.1) }
  }

  /// Whether a length that counts is no number, another one than before, or beyond all bounds.
  private static func hasUnusableLength(_ lines: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    func values(_ name: String) -> [String] {
      lines.map { String(decoding: $0, as: UTF8.self) }.filter { $0.lowercased().hasPrefix(name) }
        .map { String($0.dropFirst(name.count)) }
    }
    guard values("transfer-encoding:").isEmpty else { return false }
    var lengths: Set<Substring> = []
    for value in values("content-length:") {
      // A bare CR ends the number as it would end the line.
      for number in value.unicodeScalars.prefix(while: { $0 != "\r" }).split(
        separator: ",", omittingEmptySubsequences: false)
      {
        let words = Substring(number).split { $0 == " " || $0 == "\t" }
        guard words.count == 1, let digits = words.first, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
          return true
        }
        let significant = digits.drop { $0 == "0" }
        lengths.insert(significant)
        if significant.utf8.count > 8 { return true }
      }
    }
    return lengths.count > 1
  }

  private static func mutate(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
    guard !bytes.isEmpty else { return }
    let index = Int.random(in: 0..<bytes.count, using: &numbers)
    let odd = oddBytes.randomElement(using: &numbers) ?? 0
    switch Int.random(in: 0..<9, using: &numbers) {
    case 0: bytes[index] = odd
    case 1: bytes.insert(odd, at: index)
    case 2: bytes.remove(at: index)
    case 3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
    case 4: bytes.removeLast(bytes.count - index)
    case 5: bytes.removeSubrange(index..<min(bytes.count, index + .random(in: 1...12, using: &numbers)))
    case 6:
      let slice = bytes[index..<min(bytes.count, index + .random(in: 1...40, using: &numbers))]
      bytes.insert(contentsOf: slice, at: index)
    case 7: bytes.insert(contentsOf: [UInt8](repeating: odd, count: .random(in: 2...300, using: &numbers)), at: index)
    default:
      let line = oddLines.randomElement(using: &numbers) ?? ""
      let end = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      bytes.insert(contentsOf: line.utf8, at: end)
    }
  }

  private static let oddBytes: [UInt8] = Array("\0\r\n\t :;,+-0159afAFxX{\"'/%".utf8) + [0x7F, 0x80, 0xC3, 0xFE, 0xFF]

  private static let oddLines = [
    "Content-Length: 3\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999999999999999999\r\n",
    "Content-Length: 5, 5\r\n", "Content-Length: 0x10\r\n", "Content-Length: +5\r\n", "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: identity\r\n", "Transfer-Encoding: gzip, chunked\r\n",
    "Transfer-Encoding: chunked, chunked\r\n",
    "Content-Encoding: gzip\r\n", "Content-Encoding: nothing\r\n", "Content-Encoding: gzip, gzip\r\n",
    "Connection: close\r\n", "Connection: keep-alive\r\n", "Location: http://127.0.0.1:1/\r\n", "no colon\r\n",
    ": empty\r\n",
    " folded\r\n", "\tfolded\r\n", "Name : value\r\n", "\r\n", "\n", "HTTP/1.1 200 OK\r\n", "Upgrade: h2c\r\n",
    "Content-Range: bytes 0-1/2\r\n", "Refresh: 0; url=http://127.0.0.1:1/\r\n", "Alt-Svc: h2=\":1\"\r\n",
  ]

  private static let gzipped: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27,
    0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
  ]

  private static let valid: [[UInt8]] = [
    Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello".utf8),
    Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n".utf8),
    Array(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-Trailer: c\r\nX-D: e\r\n\r\n".utf8),
    Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end".utf8),
    Array("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8),
    Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8),
    Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8),
    Array("HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n".utf8),
    Array("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 100\r\n\r\n".utf8),
    Array(
      "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nX-Folded: a\r\n b\r\nContent-Length: 1\r\n\r\nx".utf8),
    Array("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 4\r\n\r\ngone".utf8),
    Array("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 3\r\nConnection: close\r\n\r\noops".utf8.dropLast()),
    Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 28\r\n\r\n".utf8) + gzipped,
    Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1C\r\n".utf8) + gzipped
      + Array("\r\n0\r\n\r\n".utf8),
  ]
}
