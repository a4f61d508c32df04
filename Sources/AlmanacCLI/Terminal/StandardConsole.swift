// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The streams of this process.
///
/// Standard output remembers its first failure: a command that cannot deliver its output stops.
final class StandardConsole: Console {
  private struct State {
    var fault: OutputFault?
    var handler: (@Sendable () -> Void)?
  }

  let showsOutput = isatty(1) == 1
  let isInteractive = isatty(2) == 1
  let canAsk = isatty(0) == 1 && isatty(2) == 1
  private let state = Mutex(State())

  var width: Int {
    var size = winsize()
    // The call fills `size`, which outlives it.
    return unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 100
  }

  var fault: OutputFault? { state.withLock { $0.fault } }

  /// Calls `handler` when standard output is lost, at once if it is so already.
  func onFault(_ handler: @escaping @Sendable () -> Void) {
    let isLost = state.withLock { state in
      state.handler = handler
      return state.fault != nil
    }
    if isLost { handler() }
  }

  func write(_ bytes: [UInt8]) {
    guard fault == nil, let error = writeAll(bytes, to: 1) else { return }
    let handler = state.withLock { state in
      state.fault = error == EPIPE ? .closed : .failed
      return state.handler
    }
    handler?()
  }

  func tell(_ bytes: [UInt8]) { _ = writeAll(bytes, to: 2) }

  func readLine() async throws -> String? {
    try await BlockingWork.runCancellable { try BlockingRead.line(of: 0, limit: 64 * 1024, isCancelled: $0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func readAll() async throws -> [UInt8]? {
    try await BlockingWork.runCancellable { try BlockingRead.content(of: nil, isCancelled: $0) }
  }
}

/// Writes every byte to a file descriptor.
///
/// - Returns: The error number if it did not succeed.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    // The pointer is used within the call that reads from it.
    let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // One entry, a local.
      _ = unsafe poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}

/// The three standard streams and what is known of them: the seam between the command and a terminal.
package protocol Console: Sendable {
  /// Whether standard output is a terminal.
  var showsOutput: Bool { get }
  /// Whether standard error is a terminal.
  var isInteractive: Bool { get }
  /// Whether a question can be asked: the user sees it and types the response.
  var canAsk: Bool { get }
  /// The width of the terminal in columns.
  var width: Int { get }
  /// Why standard output is lost; `nil` while it is not.
  var fault: OutputFault? { get }

  /// Writes bytes to standard output; nothing after a fault.
  func write(_ bytes: [UInt8])

  /// Writes bytes to standard error.
  func tell(_ bytes: [UInt8])

  /// Reads a line of standard input, without its end; `nil` where it ends.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func readLine() async throws -> String?

  /// Reads the rest of standard input; `nil` if it cannot be read.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func readAll() async throws -> [UInt8]?
}

/// Why standard output is lost.
package enum OutputFault: Sendable {
  /// The reading end is closed, as after `head`.
  case closed
  case failed
}
