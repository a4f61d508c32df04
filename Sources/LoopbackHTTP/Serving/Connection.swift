// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
package import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One client's connection in the event loop.
package final class Connection {
  package enum Phase {
    /// The connection waits for a request, or for the rest of one.
    case reading
    /// A handler processes a request.
    case handling(Task<Void, Never>)
    /// The response is being sent.
    case writing
    /// The response has been sent, and further bytes of the client are discarded.
    ///
    /// Closing a connection with unread bytes resets it, which can destroy the response (RFC 9112 § 9.6).
    case draining

    /// Returns the readiness to watch the socket for, or `nil` for none.
    ///
    /// While a handler works, reading continues in order to notice a disconnect. Pipelined requests may fill one buffer.
    ///
    /// - Parameters:
    ///   - hasEnded: Whether the client has closed its side.
    ///   - buffered: The number of received but unparsed bytes.
    package func interest(hasEnded: Bool, buffered: Int) -> Readiness? {
      switch self {
      case .reading, .draining: .reading
      case .handling: hasEnded || buffered > Connection.pipelineLimit ? nil : .reading
      case .writing: .writing
      }
    }
  }

  /// The number of pipelined bytes above which no more are read while a handler works.
  package static let pipelineLimit = 64 * 1024

  let id: Int
  let socket: FileDescriptor
  var parser: RequestParser
  var phase = Phase.reading
  var deadline: ContinuousClock.Instant?
  /// The watched readiness of the socket.
  var watched: Readiness?
  /// Whether the deadline is the one of a partly received request.
  var isInsideRequest = false
  /// Whether the client has closed its side.
  var hasEnded = false
  /// The method of the current request.
  var method: HTTPMethod?
  var closesAfterResponse = false
  /// Whether requests are rejected because the client belongs to another user.
  var isOfAnotherUser = false
  /// The bytes of the response not yet sent.
  private var output: ArraySlice<UInt8> = []

  init(id: Int, socket: consuming FileDescriptor, parser: RequestParser) {
    self.id = id
    self.socket = socket
    self.parser = parser
  }

  var isIdle: Bool {
    if case .reading = phase { !isInsideRequest } else { false }
  }

  /// Whether a request has been received and its response has not been sent.
  var isAnswering: Bool {
    switch phase {
    case .handling, .writing: true
    case .reading, .draining: false
    }
  }

  /// The readiness to watch the socket for, or `nil` for none.
  var interest: Readiness? { phase.interest(hasEnded: hasEnded, buffered: parser.bufferedCount) }

  func cancelHandler() {
    if case .handling(let task) = phase { task.cancel() }
  }

  /// Sets the bytes for ``flush()``.
  func enqueue(_ bytes: [UInt8]) { output = bytes[...] }

  enum Progress { case done, blocked, lost }

  /// Sends as much as the system accepts now.
  func flush() -> Progress {
    while !output.isEmpty {
      #if canImport(Darwin)
        let flags: Int32 = 0  // SO_NOSIGPIPE is set on the socket
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      // The pointer and the count are the slice's own.
      let sent = unsafe output.withUnsafeBytes { unsafe send(socket.number, $0.baseAddress, $0.count, flags) }
      // A signal does not interrupt a call that never waits.
      guard sent > 0 else { return errno == EAGAIN ? .blocked : .lost }
      output = output.dropFirst(sent)
    }
    output = []
    return .done
  }

  enum Input { case bytes(Int), nothing, end, lost }

  /// Reads once into `buffer`.
  func receive(into buffer: inout [UInt8]) -> Input {
    // The pointer and the count are the array's own.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket.number, $0.baseAddress, $0.count, 0) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return errno == EAGAIN ? .nothing : .lost
  }
}
