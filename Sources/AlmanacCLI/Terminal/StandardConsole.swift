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

/// The standard streams of this process.
///
/// The first failure of standard output is recorded, and the command then stops.
final class StandardConsole: Console {
  private struct State {
    var fault: OutputFault?
    var handler: (@Sendable () -> Void)?
  }

  let showsOutput = isatty(1) == 1
  let isInteractive = isatty(2) == 1
  let canAsk = isatty(0) == 1 && isatty(2) == 1
  private let state = Mutex(State())

  /// Opens the null device in place of each closed standard stream.
  ///
  /// Otherwise, the next file or connection would have the stream's number, and receive the output. As with the closed stream,
  /// reading from standard input and writing to the others fails.
  static func replaceClosedStreams() {
    // A descriptor that is opened has the lowest free number.
    for (number, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", mode)
    }
  }

  var width: Int {
    Self.columns(of: 1) ?? 100
  }

  var errorWidth: Int? { isInteractive ? Self.columns(of: 2) ?? 100 : nil }

  /// Returns the number of columns of the terminal behind a descriptor, or `nil` if it is unknown.
  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    // The call fills `size`, which outlives it.
    return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  var fault: OutputFault? { state.withLock { $0.fault } }

  /// Sets the handler for a failure of standard output, and calls it immediately if it has failed already.
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

/// The three standard streams, and the properties of the terminal behind them.
package protocol Console: Sendable {
  /// Whether standard output is a terminal.
  var showsOutput: Bool { get }
  /// Whether standard error is a terminal.
  var isInteractive: Bool { get }
  /// Whether the user can see a question and type the response.
  var canAsk: Bool { get }
  /// The width of the terminal in columns, or of a page if standard output is not a terminal.
  var width: Int { get }
  /// The width of the terminal of standard error in columns, or `nil` if it is not a terminal.
  var errorWidth: Int? { get }
  /// The failure of standard output, or `nil` if it works.
  var fault: OutputFault? { get }

  /// Writes bytes to standard output. After a fault, does nothing.
  func write(_ bytes: [UInt8])

  /// Writes bytes to standard error.
  func tell(_ bytes: [UInt8])

  /// Returns a line of standard input without its line end, or `nil` at the end of input.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func readLine() async throws -> String?

  /// Returns the rest of standard input, or `nil` if it cannot be read.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func readAll() async throws -> [UInt8]?
}

/// A failure of standard output.
package enum OutputFault: Sendable {
  /// The reader closed the pipe, as `head` does.
  case closed
  case failed
}
