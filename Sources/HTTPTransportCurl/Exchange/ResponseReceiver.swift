import HTTPTransport

/// Takes the head of a response line by line and counts everything that arrives, so that no limit is passed.
///
/// A fault ends the transfer and is kept: what libcurl reports then is only that a callback ended it.
struct ResponseReceiver {
  /// A limit that was passed.
  struct Fault: Error {
    let code: TransportError.Code
    let reason: TransportError.Reason
  }

  private let limits: TransportLimits
  private let isHead: Bool
  /// The lines of the current response's head, as they came.
  private(set) var head: [UInt8] = []
  private(set) var status = 0
  /// The size of the body as its head announces it; `nil` if it does not or if there is none.
  private(set) var announcedSize: Int?
  private(set) var isHeadComplete = false
  private(set) var fault: Fault?
  private var headerBytes = 0
  private var headerFields = 0
  private var bodyBytes = 0

  init(_ request: HTTPRequest, limits: TransportLimits) {
    self.limits = limits
    isHead = request.method == .head
  }

  /// Takes a line of the head, or of the trailer once the head is complete.
  ///
  /// - Returns: Whether the transfer may go on.
  mutating func receive(line: Span<UInt8>) -> Bool {
    let isBlank = line.isBlank
    let isStatusLine = !isHeadComplete && head.isEmpty
    headerBytes += line.count
    if !isBlank, !isStatusLine { headerFields += 1 }
    guard headerBytes <= limits.headerBytes, headerFields <= limits.headerFields else { return end(.tooLarge, .head) }
    guard !isHeadComplete else { return true }
    guard !isBlank else { return completeHead() }
    if isStatusLine { status = line.statusCode } else { readSize(line) }
    head.append(line)
    return true
  }

  /// Counts a piece of the body after content encodings are undone.
  ///
  /// - Returns: Whether the transfer may go on.
  mutating func count(body bytes: Int) -> Bool {
    bodyBytes += bytes
    return bodyBytes <= limits.bodyBytes ? true : end(.tooLarge, .body)
  }

  /// Judges how much of the body has come before content encodings are undone.
  ///
  /// - Returns: Whether the transfer may go on.
  mutating func judge(encodedBytes: Int) -> Bool {
    encodedBytes <= limits.encodedBodyBytes ? true : end(.tooLarge, .encodedBody)
  }

  /// Ends the transfer with a fault; the first one counts.
  ///
  /// - Returns: `false`.
  mutating func end(_ code: TransportError.Code, _ reason: TransportError.Reason) -> Bool {
    fault = fault ?? Fault(code: code, reason: reason)
    return false
  }

  private mutating func completeHead() -> Bool {
    // An informational response is followed by another one (RFC 9110 § 15.2). 101 is final, but nobody asked for it.
    if (100..<200).contains(status) {
      guard status != 101 else { return end(.protocolViolation, .malformedHead) }
      head.removeAll(keepingCapacity: true)
      announcedSize = nil
      return true
    }
    isHeadComplete = true
    guard (200..<600).contains(status) else { return end(.protocolViolation, .malformedHead) }
    if isHead || status == 204 || status == 304 { announcedSize = nil }
    return (announcedSize ?? 0) <= limits.encodedBodyBytes ? true : end(.tooLarge, .encodedBody)
  }

  private mutating func readSize(_ line: Span<UInt8>) {
    let name: StaticString = "content-length:"
    guard line.hasPrefix(ignoringCase: name) else { return }
    // libcurl has judged the line before: a malformed size, or a second and different one, ends the transfer.
    var size = 0
    for index in name.utf8CodeUnitCount..<line.count where line[index] >= 0x30 && line[index] <= 0x39 {
      size = size > .max / 16 ? size : size * 10 + Int(line[index] - 0x30)
    }
    announcedSize = size
  }
}

extension Span<UInt8> {
  /// Whether the line is empty but for its end.
  fileprivate var isBlank: Bool { count == 1 && self[0] == 0x0A || count == 2 && self[0] == 0x0D && self[1] == 0x0A }

  /// The status of a status line such as `HTTP/1.1 200 OK`; 0 if there is none.
  fileprivate var statusCode: Int {
    var index = 0
    while index < count, self[index] != 0x20 { index += 1 }
    index += 1
    var code = 0
    var digits = 0
    while index < count, digits < 4, self[index] >= 0x30, self[index] <= 0x39 {
      code = code * 10 + Int(self[index] - 0x30)
      digits += 1
      index += 1
    }
    return digits == 3 ? code : 0
  }

  fileprivate func hasPrefix(ignoringCase prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    // Safe: a literal has as many bytes as it says.
    let prefix = unsafe UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
    return prefix.indices.allSatisfy { unsafe prefix[$0] | 0x20 == self[$0] | 0x20 }
  }
}
