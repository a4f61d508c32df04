// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// The lines of a request's head in libcurl's form, followed by those of another list.
///
/// The pointers can be used on another thread, because nothing changes the list between `init` and `deinit`, and
/// libcurl only reads it. `@safe` because the pointers are valid for as long as their list.
@safe
final class HeaderLines: Sendable {
  /// The first line of this list, or of `rest`.
  nonisolated(unsafe) let first: UnsafeMutablePointer<curl_slist>?
  /// The last line of this list, before the first line of `rest`, or `nil` if this list has no lines.
  nonisolated(unsafe) private let last: UnsafeMutablePointer<curl_slist>?
  private let rest: HeaderLines?

  /// Creates a list.
  ///
  /// - Throws: `TransportError` if there is no memory for a line.
  init(_ lines: [String], then rest: HeaderLines? = nil) throws(TransportError) {
    var first: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      // Safe: libcurl copies the line; without memory for it, it leaves the list as it is.
      guard let longer = unsafe almanac_curl_slist_append(first, line) else {
        unsafe almanac_curl_slist_free_all(first)
        throw .noMemory
      }
      unsafe first = longer
    }
    var last = unsafe first
    while let next = unsafe last?.pointee.next { unsafe last = next }
    unsafe last?.pointee.next = rest?.first
    unsafe self.first = first ?? rest?.first
    unsafe self.last = last
    self.rest = rest
  }

  deinit {
    guard let last = unsafe last else { return }
    unsafe last.pointee.next = nil
    unsafe almanac_curl_slist_free_all(first)
  }
}

extension HTTPFields {
  /// The number of fields not exceeded by most heads.
  private static let usualCount = 8

  /// Parses the lines of a response's head: a status line, then fields.
  ///
  /// Each line becomes a separate field, so repeated fields stay separate. Continuation lines are joined to their field by a
  /// space, and CR and NUL in a value are replaced by one (RFC 9112 § 5.2, RFC 9110 § 5.5). A line whose name is not a token is
  /// ignored.
  init(head: [UInt8]) {
    self.init()
    reserveCapacity(Self.usualCount)
    let head = head.span
    var start = head.endOfLine(from: 0)
    while start < head.count {
      var end = head.endOfLine(from: start)
      while end < head.count, head[end].isBlank { end = head.endOfLine(from: end) }
      append(line: head.extracting(start..<end))
      start = end
    }
  }

  /// Appends the field of a line, which includes its continuation lines and its end.
  private mutating func append(line: Span<UInt8>) {
    var colon = 0
    while colon < line.count, line[colon].isTokenCharacter { colon += 1 }
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { return }
    let value = line.extracting(line.trimmed(from: colon + 1))
    append(line.extracting(first: colon).text, value.hasLineEnds ? value.joined.span.text : value.text)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether the byte ends a line or a string, and is not allowed in a value.
  fileprivate var isLineEnd: Bool { self == 0x0D || self == 0x0A || self == 0 }
}

extension Span<UInt8> {
  /// The index after the line feed at the end of the line at `start`.
  fileprivate func endOfLine(from start: Int) -> Int {
    var index = start
    while index < count, self[index] != 0x0A { index += 1 }
    return Swift.min(index + 1, count)
  }

  fileprivate var text: String {
    // Safe: the buffer is read within the call.
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The range between the white space and line ends from `start` on.
  fileprivate func trimmed(from start: Int) -> Range<Int> {
    var start = start
    var end = count
    while start < end, self[start].isBlank || self[start].isLineEnd { start += 1 }
    while start < end, self[end - 1].isBlank || self[end - 1].isLineEnd { end -= 1 }
    return start..<end
  }

  fileprivate var hasLineEnds: Bool {
    // Finding the smallest byte is fast, because many bytes are compared at a time. For most values, it shows that there are no
    // line ends.
    var least = UInt8.max
    for index in indices { least = Swift.min(least, self[index]) }
    guard least < 0x20 else { return false }
    for index in indices where self[index].isLineEnd { return true }
    return false
  }

  /// The value with continuation lines joined by a space, and a space for every other invalid byte.
  fileprivate var joined: [UInt8] {
    var value: [UInt8] = []
    var isAtStart = false
    for index in indices {
      let byte = self[index]
      if byte == 0x0A {
        while value.last?.isBlank == true { value.removeLast() }
        value.append(0x20)
        isAtStart = true
      } else if !isAtStart || !byte.isBlank {
        value.append(byte.isLineEnd ? 0x20 : byte)
        isAtStart = false
      }
    }
    return value
  }
}
