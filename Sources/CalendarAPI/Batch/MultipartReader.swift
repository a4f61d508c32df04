// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The parts of a `multipart/mixed` response
/// ([RFC 2046 § 5.1](https://www.rfc-editor.org/rfc/rfc2046.html#section-5.1)).
///
/// The reader is strict:
/// - Either all lines end with CRLF, or all end with LF.
/// - The last part must be closed.
/// - Every part must be an HTTP message.
///
/// Text before the first and after the last part is ignored. Time and memory are proportional to the size of the response.
struct MultipartReader {
  private let bytes: [UInt8]
  /// Two hyphens and the boundary.
  private let dashBoundary: [UInt8]
  /// The start of the next part, or `nil` before the first one.
  private var start: Int?
  private var lineEnd = LineEnd.strict

  /// Creates a reader.
  ///
  /// - Throws: ``MultipartError`` if the response is not multipart.
  init(_ response: HTTPResponse) throws(MultipartError) {
    let types = response.fields.values(for: "Content-Type")
    guard types.count == 1, let boundary = types.first.flatMap(MediaType.init)?.multipartBoundary else {
      throw .noBoundary
    }
    bytes = response.body
    dashBoundary = Array("--\(boundary)".utf8)
  }

  /// Returns the next part, or `nil` after the last one.
  mutating func next() throws(MultipartError) -> Part? {
    if start == nil {
      var first = delimiter(from: 0)?.nextPart
      if first == nil {
        lineEnd = .lineFeed
        first = delimiter(from: 0)?.nextPart
      }
      // A multipart body has at least one part (RFC 2046 § 5.1.1).
      guard let first else { throw .truncated }
      start = first
    }
    guard let start, start < bytes.count else { return nil }
    guard let end = delimiter(from: start) else { throw .truncated }
    self.start = end.nextPart ?? bytes.count
    // The line end before a delimiter belongs to it.
    guard let contentEnd = lineEnd.last(in: bytes[start..<end.lineStart]) else { throw .malformedFields }
    return try Part(bytes[start..<contentEnd], lineEnd)
  }

  /// A line between parts.
  private struct Delimiter {
    let lineStart: Int
    /// The start of the next part, or `nil` after the last one.
    let nextPart: Int?
  }

  /// Returns the first delimiter on a line that starts at `position` or later.
  private func delimiter(from position: Int) -> Delimiter? {
    var line = position
    while true {
      if let delimiter = delimiter(at: line) { return delimiter }
      guard let end = lineEnd.first(in: bytes[line...]) else { return nil }
      line = end.upperBound
    }
  }

  private func delimiter(at line: Int) -> Delimiter? {
    guard bytes[line...].starts(with: dashBoundary) else { return nil }
    var position = line + dashBoundary.count
    let isLast = bytes[position...].starts(with: "--".utf8)
    if isLast { position += 2 }
    while position < bytes.count, bytes[position] == .space || bytes[position] == .tab { position += 1 }
    if isLast, position == bytes.count { return Delimiter(lineStart: line, nextPart: nil) }
    guard let end = lineEnd.first(in: bytes[position...]), end.lowerBound == position else { return nil }
    return Delimiter(lineStart: line, nextPart: isLast ? nil : end.upperBound)
  }
}

extension MultipartReader {
  /// A part: its header fields and its content.
  struct Part {
    let fields: HTTPFields
    private let content: ArraySlice<UInt8>
    private let lineEnd: LineEnd

    fileprivate init(_ bytes: ArraySlice<UInt8>, _ lineEnd: LineEnd) throws(MultipartError) {
      self.lineEnd = lineEnd
      (fields, content) = try HTTPFields.reading(bytes, lineEnd)
      guard let type = fields["Content-Type"].flatMap(MediaType.init), type.name == "application/http" else {
        throw .otherPart
      }
    }

    /// The HTTP message in the part.
    ///
    /// A malformed message does not affect other parts.
    var httpResponse: Result<HTTPResponse, CalendarError> {
      do throws(MultipartError) {
        return .success(try HTTPResponse(message: content, lineEnd))
      } catch {
        return .failure(CalendarError(malformed: error, status: 200))
      }
    }
  }
}

/// An error in reading the response to a batch, or a part of it.
///
/// The raw value completes a sentence of the error's message.
enum MultipartError: String, Error {
  case noBoundary = "it is not multipart/mixed with a boundary"
  case truncated = "it ends before the last part does"
  case malformedFields = "a header field of a part is malformed"
  case fieldsTooLarge = "the header of a part is too large"
  case otherPart = "a part is not an HTTP message"
  case unknownPart = "a part has no Content-ID of a request"
  case repeatedPart = "two parts respond to one request"
  case missingPart = "no part responds to the request"
  case malformedMessage = "the HTTP message of the part is malformed"
  case truncatedMessage = "the HTTP message of the part is truncated"
}

extension CalendarError {
  /// Creates the error for a malformed response to a batch.
  init(malformed fault: MultipartError, status: Int) {
    self.init(
      .malformedResponse,
      "The response to the batch cannot be read: \(fault.rawValue). \(Remedy.inspectServer.advice)",
      status: status)
  }

  /// The same error as an error of the whole batch.
  ///
  /// A reason about a resource is replaced. Callers would relate it to the resource of a request in the batch.
  var ofBatch: CalendarError {
    switch remedy {
    case .backOff, .pause, .signIn, .obtainAccess: self
    default:
      CalendarError(
        .batchRefused, "The server refused the batch as a whole. \(Remedy.inspectServer.advice)", status: status,
        serverMessage: serverMessage, details: details)
    }
  }

  /// Returns the error of a request without a response.
  static func noResponse(cause: (any Error)? = nil) -> CalendarError {
    CalendarError(
      .noResponse, "A request of the batch received no response and changed nothing. Send it again later.",
      cause: cause)
  }
}
