// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// A parser that extracts requests from a stream of bytes in pieces of any size.
///
/// After it has thrown, the rest of the stream has no meaning: the connection must be closed.
struct RequestParser {
  /// A complete request.
  struct Message {
    var head: RequestHead
    var body: [UInt8]?
  }

  private enum State {
    case requestLine
    case fields(RequestHead)
    case content(RequestHead, length: Int)
    case chunkSize(RequestHead)
    case chunk(RequestHead, remaining: Int)
    case chunkEnd(RequestHead)
    case trailer(RequestHead)
  }

  private let limits: LoopbackServer.Limits
  private let authorities: Set<String>
  private var state = State.requestLine
  private var buffer: [UInt8] = []
  /// The start of the unparsed bytes.
  private var position = 0
  /// The start of the bytes not yet searched for a line end.
  private var searched = 0
  /// The number of bytes in the lines of the head, or of the trailer, so far.
  private var lineBytes = 0
  private var chunks: [UInt8] = []
  private var hasSkippedEmptyLine = false
  private var owesContinue = false

  init(limits: LoopbackServer.Limits, authorities: Set<String>) {
    self.limits = limits
    self.authorities = authorities
  }

  /// The number of bytes outside returned requests.
  var bufferedCount: Int { buffer.count - position }

  /// Whether a part of a request has arrived.
  var isInsideRequest: Bool {
    if case .requestLine = state { bufferedCount > 0 } else { true }
  }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    buffer += bytes
  }

  /// Whether the client waits for `100 Continue` now: `true` once per request.
  mutating func takeContinue() -> Bool {
    defer { owesContinue = false }
    return owesContinue
  }

  /// Returns the next request, or `nil` until it is complete.
  mutating func next() throws(RequestFault) -> Message? {
    while true {
      switch state {
      case .requestLine:
        guard let line = try nextLine(tooLong: 414) else { return nil }
        if line.isEmpty, !hasSkippedEmptyLine {  // RFC 9112 § 2.2: one empty line before a request is ignored
          hasSkippedEmptyLine = true
          continue
        }
        state = .fields(try RequestHead(requestLine: line))
      case .fields(var head):
        guard let line = try nextLine(tooLong: 431) else { return nil }
        guard line.isEmpty else {
          state = .requestLine  // releases the fields, so that adding one does not copy them all
          try head.addField(line)
          state = .fields(head)
          continue
        }
        if let message = try finishHead(head) { return message }
      case .content(let head, let length):
        guard bufferedCount >= length else { return nil }
        let body = Array(buffer[position..<position + length])
        consume(length)
        return finish(head, body: body)
      case .chunkSize(let head):
        guard let line = try nextLine(tooLong: 400, limit: 256) else { return nil }
        let size = try chunkSize(line)
        guard size <= limits.bodyBytes - chunks.count else { throw RequestFault(413, "The body is too large.") }
        lineBytes = 0
        state = size == 0 ? .trailer(head) : .chunk(head, remaining: size)
      case .chunk(let head, let remaining):
        let count = min(remaining, bufferedCount)
        chunks += buffer[position..<position + count]
        consume(count)
        guard count == remaining else {
          state = .chunk(head, remaining: remaining - count)
          return nil
        }
        state = .chunkEnd(head)
      case .chunkEnd(let head):
        guard bufferedCount >= 2 else { return nil }
        guard buffer[position] == 0x0D, buffer[position + 1] == 0x0A else {
          throw RequestFault(400, "A chunk is longer than its size states.")
        }
        consume(2)
        state = .chunkSize(head)
      case .trailer(let head):
        guard let line = try nextLine(tooLong: 431) else { return nil }
        guard line.isEmpty else {
          _ = try RequestHead.field(line)  // checked, and then dropped: RFC 9112 § 7.1.2
          continue
        }
        defer { chunks = [] }
        return finish(head, body: chunks)
      }
    }
  }

  private mutating func finishHead(_ head: RequestHead) throws(RequestFault) -> Message? {
    try head.check(authorities: authorities)
    switch try head.framing(limit: limits.bodyBytes) {
    case .none: return finish(head, body: nil)
    case .length(let length):
      owesContinue = head.expectsContinue
      state = .content(head, length: length)
    case .chunked:
      owesContinue = head.expectsContinue && bufferedCount == 0
      lineBytes = 0
      state = .chunkSize(head)
    }
    return nil
  }

  private mutating func finish(_ head: RequestHead, body: [UInt8]?) -> Message {
    state = .requestLine
    lineBytes = 0
    hasSkippedEmptyLine = false
    owesContinue = false
    return Message(head: head, body: body)
  }

  /// Parses the size of the next chunk (RFC 9112 § 7.1), ignoring extensions.
  private func chunkSize(_ line: ArraySlice<UInt8>) throws(RequestFault) -> Int {
    let digits = line.prefix { $0.hexValue != nil }
    let rest = line[digits.endIndex...]
    let isExtension = rest.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: ";")
    guard !digits.isEmpty, rest.isEmpty || isExtension,
      rest.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
    else { throw RequestFault(400, "The size of a chunk is malformed.") }
    guard digits.count <= 15 else { throw RequestFault(413, "The body is too large.") }
    return digits.reduce(0) { $0 << 4 | ($1.hexValue ?? 0) }
  }

  /// Returns the next line without its CRLF, or `nil` until it is complete.
  ///
  /// A lone LF is rejected (RFC 9112 § 2.2), and the reader of the line rejects a CR in it.
  ///
  /// - Parameter tooLong: The status if the lines of this part of the message together exceed the limit.
  private mutating func nextLine(tooLong: Int, limit: Int? = nil) throws(RequestFault) -> ArraySlice<UInt8>? {
    let end = buffer[searched...].firstIndex(of: 0x0A)
    guard lineBytes + (end ?? buffer.count) - position <= limit ?? limits.headerBytes else {
      throw RequestFault(tooLong, "The request line, the header fields or a chunk extension are too long.")
    }
    guard let end else {
      searched = buffer.count
      return nil
    }
    let line = buffer[position..<end].dropLast()
    guard end > position, buffer[end - 1] == 0x0D else {
      throw RequestFault(400, "A line does not end in CR and LF.")
    }
    lineBytes += end + 1 - position
    consume(end + 1 - position)
    return line
  }

  /// Advances the position, and releases the memory of parsed bytes from time to time.
  private mutating func consume(_ count: Int) {
    position += count
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: position <= 64 * 1024)
      position = 0
    } else if position > 64 * 1024 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    searched = position
  }
}

/// A fault for which a request is rejected before it reaches a handler.
struct RequestFault: Error {
  let status: Int
  /// The fault in words, never with a byte of the request.
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
