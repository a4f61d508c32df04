// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// Takes the head of a response line by line and counts everything that arrives, so that no limit is passed.
///
/// A fault ends the transfer and is kept: what libcurl reports then is only that a callback ended it.
struct ResponseReceiver {
  /// What a line of the head or the trailer means for the transfer.
  enum Progress {
    case goOn
    /// It goes on, with the body.
    case headComplete
    /// It must not go on.
    case fault
  }

  /// A limit that was passed.
  struct Fault: Error {
    let code: TransportError.Code
    let reason: TransportError.Reason
  }

  /// What most heads fit into, and what the C library's allocator keeps for the thread that frees it.
  private static let usualHeadBytes = 960

  private let limits: TransportLimits
  private let codings: AcceptedCodings
  private let isHead: Bool
  /// The lines of the current response's head, as they came.
  private(set) var head: [UInt8] = []
  private(set) var status = 0
  /// What has come of the body, if it is collected here.
  private(set) var body: [UInt8] = []
  /// The size of the body as its head announces it.
  private(set) var announcedSize = AnnouncedSize()
  private(set) var isHeadComplete = false
  /// Whether the end of the connection is the end of the body (RFC 9112 § 6.3): nothing in the response tells its size.
  private(set) var endsWithConnection = false
  /// Whether the status line names HTTP/2 or later.
  private(set) var isMultiplexed = false
  /// Whether the body has an end that a third party on the network can have caused.
  ///
  /// It is set while the connection is open.
  var isEndUnproven = false
  private(set) var fault: Fault?

  /// Whether what has come is a response from beginning to end, provided that libcurl reports no fault.
  var isComplete: Bool { isHeadComplete && !isEndUnproven && fault == nil }

  private var headerBytes = 0
  private var headerFields = 0
  /// Whether the next piece that `checkStart` gets begins a line.
  private var isAtStartOfLine = true
  /// Whether `checkStart` has seen the first field.
  private(set) var isStartChecked = false
  private var bodyBytes = 0

  init(_ request: HTTPRequest, limits: TransportLimits, codings: AcceptedCodings) {
    self.limits = limits
    self.codings = codings
    isHead = request.method == .head
    // Here, by the thread that frees it, rather than by the transport's.
    head.reserveCapacity(min(Self.usualHeadBytes, limits.headerBytes))
  }

  /// Takes a line of the head, or of the trailer once the head is complete.
  mutating func receive(line: Span<UInt8>) -> Progress {
    let isBlank = line.isBlank
    let isStatusLine = !isHeadComplete && head.isEmpty
    headerBytes += line.count
    if !isBlank, !isStatusLine { headerFields += 1 }
    guard headerBytes <= limits.headerBytes, headerFields <= limits.headerFields else {
      _ = end(.tooLarge, .head)
      return .fault
    }
    guard !isHeadComplete else { return .goOn }
    guard !isBlank else { return !completeHead() ? .fault : isHeadComplete ? .headComplete : .goOn }
    if isStatusLine {
      status = line.statusCode
    } else {
      announcedSize.read(line)
    }
    head.append(line)
    return .goOn
  }

  /// Looks at a piece of a line of the head before libcurl does, and refuses a head whose fields begin with a continuation line.
  ///
  /// - Returns: Whether the transfer may go on.
  mutating func checkStart(of piece: Span<UInt8>) -> Bool {
    guard !isStartChecked, !piece.isEmpty else { return true }
    let isStartOfLine = isAtStartOfLine
    isAtStartOfLine = piece[piece.count - 1] == 0x0A
    // Before the first field come status lines, and the ends of informational responses without a field.
    guard isStartOfLine, !head.isEmpty, !piece.isBlank else { return true }
    isStartChecked = true
    return piece[0] == 0x20 || piece[0] == 0x09 ? end(.protocolViolation, .malformedHead) : true
  }

  /// Counts a piece of the body after content encodings are undone.
  ///
  /// - Returns: Whether the transfer may go on.
  mutating func count(body bytes: Int) -> Bool {
    bodyBytes += bytes
    guard bodyBytes <= limits.bodyBytes else { return end(.tooLarge, .body) }
    return announcedSize.isEncoded || bodyBytes <= limits.encodedBodyLimit ? true : end(.tooLarge, .encodedBody)
  }

  /// Reserves memory for a body of the size that was announced.
  mutating func reserveBody() {
    if let size = announcedSize.bytes { body.reserveCapacity(min(size, limits.bodyBytes)) }
  }

  /// Collects a piece of the body.
  mutating func append(body bytes: Span<UInt8>) {
    // Memory that is reserved and not written to costs nothing, so that growing by doubling, which needs old and new at
    // the same time, stops early.
    if body.count > 1 << 20, body.capacity - body.count < bytes.count {
      body.reserveCapacity(min(limits.bodyBytes, max(1 << 26, 2 * body.capacity)))
    }
    body.append(bytes)
  }

  /// Whether a response of HTTP/1 may have come to its end, provided that the connection has not; the end of chunks is not known here.
  ///
  /// - Parameter encodedBytes: How much of the body has come, before content encodings are undone.
  func mayBeAtEnd(encodedBytes: Int) -> Bool {
    guard isHeadComplete, !isMultiplexed, !endsWithConnection else { return false }
    return encodedBytes >= announcedSize.bytes ?? 0
  }

  /// Judges how much of a body with content encodings has come.
  ///
  /// - Returns: Whether the transfer may go on.
  mutating func judge(encodedBytes: Int) -> Bool {
    !announcedSize.isEncoded || encodedBytes <= limits.encodedBodyLimit ? true : end(.tooLarge, .encodedBody)
  }

  /// Ends the transfer with a fault; the first one counts.
  ///
  /// - Returns: `false`.
  mutating func end(_ code: TransportError.Code, _ reason: TransportError.Reason) -> Bool {
    fault = fault ?? Fault(code: code, reason: reason)
    return false
  }

  private mutating func completeHead() -> Bool {
    // An informational response is followed by another one (RFC 9110 § 15.2). 101 is final, and was not requested.
    if (100..<200).contains(status) {
      guard status != 101 else { return end(.protocolViolation, .malformedHead) }
      head.removeAll(keepingCapacity: true)
      announcedSize = AnnouncedSize()
      return true
    }
    isHeadComplete = true
    guard (200..<600).contains(status) else { return end(.protocolViolation, .malformedHead) }
    // These have no body, whatever size they announce (RFC 9112 § 6.3).
    let hasBody = !isHead && status != 204 && status != 304
    if !hasBody { announcedSize = AnnouncedSize() }
    isMultiplexed = !head.starts(with: "HTTP/1".utf8)
    endsWithConnection = hasBody && announcedSize.bytes == nil && !announcedSize.isChunked && !isMultiplexed
    if announcedSize.isEncoded, !codings.allow(HTTPFields(head: head).values(for: "Content-Encoding")) {
      return end(.protocolViolation, .malformedEncoding)
    }
    guard !announcedSize.isInvalid else { return end(.protocolViolation, .malformedHead) }
    guard (announcedSize.decodedBytes ?? 0) <= limits.bodyBytes else { return end(.tooLarge, .body) }
    return (announcedSize.bytes ?? 0) <= limits.encodedBodyLimit ? true : end(.tooLarge, .encodedBody)
  }
}

extension Span<UInt8> {
  /// Whether the line ends the head.
  ///
  /// Like libcurl, which goes on with the body after it, this looks at the first byte alone.
  fileprivate var isBlank: Bool { !isEmpty && (self[0] == 0x0A || self[0] == 0x0D) }

  /// The status of a status line such as `HTTP/1.1 200 OK` or `HTTP/2 200`; 0 if the line is malformed (RFC 9112 § 4), for
  /// which libcurl would guess.
  fileprivate var statusCode: Int {
    var index = 5
    guard hasPrefix("HTTP/"), takeDigits(&index) != nil else { return 0 }
    if index < count, self[index] == UInt8(ascii: ".") {
      index += 1
      guard takeDigits(&index) != nil else { return 0 }
    }
    guard index < count, self[index] == 0x20 else { return 0 }
    index += 1
    let start = index
    guard let code = takeDigits(&index), index - start == 3 else { return 0 }
    return index == count || [0x20, 0x0D, 0x0A].contains(self[index]) ? code : 0
  }

  /// Reads up to three digits, and moves `index` behind them; `nil` if there are none.
  private func takeDigits(_ index: inout Int) -> Int? {
    let start = index
    var value = 0
    while index < count, index - start < 3, self[index] >= 0x30, self[index] <= 0x39 {
      value = value * 10 + Int(self[index] - 0x30)
      index += 1
    }
    return index == start ? nil : value
  }

  /// Whether the line begins with the name of a field, in any case.
  func hasPrefix(ignoringCase prefix: StaticString) -> Bool { hasPrefix(prefix, ignoring: 0x20) }

  /// Whether the line begins with `prefix`; `bits` are those that a letter may differ in.
  private func hasPrefix(_ prefix: StaticString, ignoring bits: UInt8 = 0) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    // Safe: a literal has as many bytes as it says.
    let prefix = unsafe UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    return prefix.indices.allSatisfy { unsafe prefix[$0] | bits == self[$0] | bits }
  }
}
