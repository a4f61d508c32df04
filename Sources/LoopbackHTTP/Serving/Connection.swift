// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One client's connection, as the event loop keeps it.
final class Connection {
  enum Phase {
    /// Waits for a request, or for the rest of one.
    case reading
    /// A handler works on a request.
    case handling(Task<Void, Never>)
    /// The response is on its way.
    case writing
    /// The response is out. What the client still sends is thrown away, since a connection closed over unread bytes is
    /// reset and may take the response with it (RFC 9112 § 9.6).
    case draining
  }

  let id: Int
  let socket: FileDescriptor
  var parser: RequestParser
  var phase = Phase.reading
  var deadline: ContinuousClock.Instant?
  /// What the event loop watches the socket for.
  var watched: Readiness?
  /// Whether the deadline is the one of a request that has begun to arrive.
  var isInsideRequest = false
  /// Whether the client has closed its side.
  var hasEnded = false
  /// The method of the request that is being handled.
  var method: HTTPMethod?
  var closesAfterResponse = false
  /// Whether the client is not to be served, since it belongs to another user.
  var isOfAnotherUser = false
  private var output: [UInt8] = []
  private var written = 0

  init(id: Int, socket: consuming FileDescriptor, parser: RequestParser) {
    self.id = id
    self.socket = socket
    self.parser = parser
  }

  var isIdle: Bool {
    if case .reading = phase { !isInsideRequest } else { false }
  }

  /// Whether a request has been taken and its response is not out yet.
  var isAnswering: Bool {
    switch phase {
    case .handling, .writing: true
    case .reading, .draining: false
    }
  }

  /// What the socket is to be watched for; `nil` for nothing at all.
  var interest: Readiness? {
    switch phase {
    case .reading, .draining: .reading
    // Reading goes on while a handler works, to see the client leave; requests sent ahead may fill one buffer.
    case .handling: hasEnded || parser.bufferedCount > 64 * 1024 ? nil : .reading
    case .writing: .writing
    }
  }

  func cancelHandler() {
    if case .handling(let task) = phase { task.cancel() }
  }

  /// Puts bytes up for ``flush()``.
  func enqueue(_ bytes: [UInt8]) {
    output = bytes
    written = 0
  }

  enum Progress { case done, blocked, lost }

  /// Sends what the system takes now.
  func flush() -> Progress {
    while written < output.count {
      #if canImport(Darwin)
        let flags: Int32 = 0  // SO_NOSIGPIPE is set on the socket
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      // The pointer and the count stay within the array, which is not changed during the call.
      let sent = unsafe output.withUnsafeBytes { bytes in
        unsafe send(socket.number, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written, flags)
      }
      if sent < 0, errno == EINTR { continue }
      if sent < 0 { return errno == EAGAIN || errno == EWOULDBLOCK ? .blocked : .lost }
      written += sent
    }
    output = []
    written = 0
    return .done
  }

  enum Input { case bytes(Int), nothing, end, lost }

  /// Reads once into `buffer`.
  func receive(into buffer: inout [UInt8]) -> Input {
    // The pointer and the count are the array's own.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket.number, $0.baseAddress, $0.count, 0) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .nothing : .lost
  }
}
