// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension HTTPResponse {
  /// Reads an HTTP message: a status line, header fields and content
  /// ([RFC 9112 § 2.1](https://www.rfc-editor.org/rfc/rfc9112.html#section-2.1)).
  ///
  /// `Content-Length` determines the size of the content. Without that field, the content ends with the message.
  init(message: ArraySlice<UInt8>, _ lineEnd: LineEnd) throws(MultipartError) {
    guard let end = lineEnd.first(in: message.prefix(1024)) else { throw .malformedMessage }
    let line = message[message.startIndex..<end.lowerBound]
    guard let status = Self.status(ofLine: line) else { throw .malformedMessage }
    let (fields, content) = try HTTPFields.reading(message[end.upperBound...], lineEnd)
    let lengths = Set(fields.values(for: "Content-Length"))
    guard let length = lengths.first else {
      self.init(status: status, fields: fields, body: Array(content))
      return
    }
    guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length) else {
      throw .malformedMessage
    }
    guard count <= content.count else { throw .truncatedMessage }
    // Google appends an empty line to the content.
    guard content.dropFirst(count).allSatisfy({ $0 == .carriageReturn || $0 == .lineFeed }) else {
      throw .malformedMessage
    }
    self.init(status: status, fields: fields, body: Array(content.prefix(count)))
  }

  /// Returns the status of a status line (`HTTP/1.1 200 OK`), or `nil` if the line is malformed or the status is not final.
  private static func status(ofLine line: ArraySlice<UInt8>) -> Int? {
    let parts = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].starts(with: "HTTP/".utf8), (6...8).contains(parts[0].count), parts[1].count == 3
    else { return nil }
    let status = parts[1].reduce(0) { sum, byte in (0x30...0x39).contains(byte) ? sum * 10 + Int(byte - 0x30) : -1000 }
    return (200...599).contains(status) ? status : nil
  }
}

extension HTTPFields {
  /// The maximum size of a header in bytes, and its maximum number of field lines.
  private static let (maximumSize, maximumCount) = (16_384, 64)

  /// Reads a header up to the empty line after it, and returns it with the remaining bytes.
  static func reading(
    _ bytes: ArraySlice<UInt8>, _ lineEnd: LineEnd
  ) throws(MultipartError) -> (HTTPFields, rest: ArraySlice<UInt8>) {
    var fields = HTTPFields()
    var rest = bytes
    while true {
      let budget = Swift.max(maximumSize - (rest.startIndex - bytes.startIndex), 0)
      guard let end = lineEnd.first(in: rest.prefix(budget)) else {
        throw rest.count > budget ? .fieldsTooLarge : .malformedFields
      }
      let line = rest[rest.startIndex..<end.lowerBound]
      rest = rest[end.upperBound...]
      if line.isEmpty { return (fields, rest) }
      guard fields.count < maximumCount else { throw .fieldsTooLarge }
      guard let field = try? Field(line: line) else { throw .malformedFields }
      fields.append(field.name, field.value)
    }
  }
}

/// The line ending of a response, the same for all lines.
///
/// In a response whose lines end with CRLF, a bare LF is part of a line. A field's value can therefore not begin another field.
enum LineEnd {
  /// Only CRLF ([RFC 2046 § 4.1.1](https://www.rfc-editor.org/rfc/rfc2046.html#section-4.1.1)).
  case strict
  /// LF, with or without a preceding CR ([RFC 9112 § 2.2](https://www.rfc-editor.org/rfc/rfc9112.html#section-2.2)).
  case lineFeed

  /// Returns the first line end, or `nil` if there is none.
  func first(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var position = bytes.startIndex
    while let found = bytes[position...].firstIndex(of: .lineFeed) {
      let hasReturn = found > bytes.startIndex && bytes[found - 1] == .carriageReturn
      if hasReturn || self == .lineFeed { return (hasReturn ? found - 1 : found)..<found + 1 }
      position = found + 1
    }
    return nil
  }

  /// Returns the start of the line end at the end of `bytes`, or `nil` if there is none.
  func last(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.last == .lineFeed else { return nil }
    if bytes.dropLast().last == .carriageReturn { return bytes.endIndex - 2 }
    return self == .lineFeed ? bytes.endIndex - 1 : nil
  }
}

extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
}
