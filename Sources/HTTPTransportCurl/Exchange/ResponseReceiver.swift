// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

/// The receiver of a response, which reads the head line by line and enforces the limits.
///
/// A fault ends the transfer. It is stored here, because libcurl reports only that a callback ended the transfer.
package struct ResponseReceiver: Sendable {
  /// The effect of a line of the head or the trailer on the transfer.
  package enum Progress {
    case goOn
    /// The transfer continues with the body.
    case headComplete
    /// The transfer must end.
    case fault
  }

  /// The fault ending the transfer.
  package struct Fault: Error {
    package let code: TransportError.Code
    package let reason: TransportError.Reason
  }

  /// A size not exceeded by most heads.
  ///
  /// The C library's allocator keeps memory of this size for the thread that frees it.
  private static let usualHeadBytes = 960

  private let limits: TransportLimits
  private let codings: AcceptedCodings
  private let isHead: Bool
  /// The lines of the current response's head, as received.
  private(set) var head: [UInt8] = []
  package private(set) var status = 0
  /// The bytes of the body so far, if it is collected here.
  package private(set) var body: [UInt8] = []
  /// The size of the body as announced in its head.
  private(set) var announcedSize = AnnouncedSize()
  package private(set) var isHeadComplete = false
  /// Whether the end of the connection is the end of the body (RFC 9112 § 6.3), because nothing in the response states its
  /// size.
  package private(set) var endsWithConnection = false
  /// Whether the status line names HTTP/2 or later.
  package private(set) var isMultiplexed = false
  /// Whether a third party on the network can have caused the end of the body.
  ///
  /// It is set while the connection is open.
  package var isEndUnproven = false
  package private(set) var fault: Fault?

  /// Whether the response is complete, provided that libcurl reports no fault.
  package var isComplete: Bool { isHeadComplete && !isEndUnproven && fault == nil }

  private var headerBytes = 0
  private var headerFields = 0
  /// Whether the next piece for `checkStart` begins a line.
  private var isAtStartOfLine = true
  /// Whether `checkStart` has seen the first field.
  package private(set) var isStartChecked = false
  private var bodyBytes = 0

  package init(_ request: HTTPRequest, limits: TransportLimits, accepting codings: [ContentCoding] = [.gzip]) {
    self.init(request, limits: limits, codings: AcceptedCodings(codings))
  }

  init(_ request: HTTPRequest, limits: TransportLimits, codings: AcceptedCodings) {
    self.limits = limits
    self.codings = codings
    isHead = request.method == .head
    // Reserved here, by the thread that frees it, not by the transport's thread.
    head.reserveCapacity(min(Self.usualHeadBytes, limits.headerBytes))
  }

  /// Receives a line of the head, or of the trailer once the head is complete.
  package mutating func receive(line: Span<UInt8>) -> Progress {
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

  /// Inspects a piece of a head line before libcurl does, and rejects a head whose fields begin with a continuation line.
  ///
  /// - Returns: Whether the transfer may continue.
  package mutating func checkStart(of piece: Span<UInt8>) -> Bool {
    guard !isStartChecked, !piece.isEmpty else { return true }
    let isStartOfLine = isAtStartOfLine
    isAtStartOfLine = piece[piece.count - 1] == 0x0A
    // Status lines precede the first field, and so do the ends of informational responses without a field.
    guard isStartOfLine, !head.isEmpty, !piece.isBlank else { return true }
    isStartChecked = true
    return piece[0] == 0x20 || piece[0] == 0x09 ? end(.protocolViolation, .malformedHead) : true
  }

  /// Counts a piece of the body after content encodings are decoded.
  ///
  /// - Returns: Whether the transfer may continue.
  package mutating func count(body bytes: Int) -> Bool {
    bodyBytes += bytes
    guard bodyBytes <= limits.bodyBytes else { return end(.tooLarge, .body) }
    return announcedSize.isEncoded || bodyBytes <= limits.encodedBodyLimit ? true : end(.tooLarge, .encodedBody)
  }

  /// Reserves memory for a body of the announced size, up to 64 MiB.
  ///
  /// A server can announce any size, and the limit can be larger than the memory.
  package mutating func reserveBody() {
    if let size = announcedSize.bytes { body.reserveCapacity(min(size, limits.bodyBytes, 1 << 26)) }
  }

  /// Collects a piece of the body.
  package mutating func append(body bytes: Span<UInt8>) {
    // Reserved memory that is not written to uses no physical memory. Doubling needs the old and the new memory at the same
    // time, so the capacity soon grows to the limit instead.
    if body.count > 1 << 20, body.capacity - body.count < bytes.count {
      body.reserveCapacity(min(limits.bodyBytes, max(1 << 26, 2 * body.capacity)))
    }
    body.append(bytes)
  }

  /// Whether an HTTP/1 response may be complete although its connection is open.
  ///
  /// The end of a chunked body is unknown here.
  ///
  /// - Parameter encodedBytes: The bytes of the body so far, before content encodings are decoded.
  package func mayBeAtEnd(encodedBytes: Int) -> Bool {
    guard isHeadComplete, !isMultiplexed, !endsWithConnection else { return false }
    return encodedBytes >= announcedSize.bytes ?? 0
  }

  /// Checks the number of received bytes of a body with content encodings.
  ///
  /// - Returns: Whether the transfer may continue.
  package mutating func judge(encodedBytes: Int) -> Bool {
    !announcedSize.isEncoded || encodedBytes <= limits.encodedBodyLimit ? true : end(.tooLarge, .encodedBody)
  }

  /// Ends the transfer with a fault, unless there is an earlier one.
  ///
  /// - Returns: `false`.
  package mutating func end(_ code: TransportError.Code, _ reason: TransportError.Reason) -> Bool {
    fault = fault ?? Fault(code: code, reason: reason)
    return false
  }

  private mutating func completeHead() -> Bool {
    // Another response follows an informational one (RFC 9110 § 15.2). Status 101 is final, and was not requested.
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
  /// Only the first byte is checked, as in libcurl, which continues with the body after this line.
  fileprivate var isBlank: Bool { !isEmpty && (self[0] == 0x0A || self[0] == 0x0D) }

  /// The status of a status line such as `HTTP/1.1 200 OK` or `HTTP/2 200`, or 0 if the line is malformed (RFC 9112 § 4).
  ///
  /// libcurl would guess the status of a malformed line.
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

  /// Reads up to three digits, and advances `index` past them, or returns `nil` if there are none.
  private func takeDigits(_ index: inout Int) -> Int? {
    let start = index
    var value = 0
    while index < count, index - start < 3, self[index] >= 0x30, self[index] <= 0x39 {
      value = value * 10 + Int(self[index] - 0x30)
      index += 1
    }
    return index == start ? nil : value
  }

  /// Whether the line begins with a field name, compared without regard to case.
  func hasPrefix(ignoringCase prefix: StaticString) -> Bool { hasPrefix(prefix, ignoring: 0x20) }

  /// Whether the line begins with `prefix`.
  ///
  /// - Parameter bits: The bits of each byte that are not compared.
  private func hasPrefix(_ prefix: StaticString, ignoring bits: UInt8 = 0) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    // Safe: a literal has the number of bytes that it states.
    let prefix = unsafe UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    return prefix.indices.allSatisfy { unsafe prefix[$0] | bits == self[$0] | bits }
  }
}

extension [UInt8] {
  mutating func append(_ bytes: Span<UInt8>) {
    // Safe: the buffer is read within the call.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
