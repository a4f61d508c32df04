// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs what blocks on threads of its own, so that no thread of the concurrency pool ever waits for a disk, a keychain or a
/// terminal.
package enum BlockingWork {
  /// A serial queue for each call: its threads are made as needed, while those of a concurrent queue are as few as the
  /// processors and shared with Swift's own, so that calls that wait would hold up all others.
  private static var queue: DispatchQueue { DispatchQueue(label: "almanac.blocking-work") }

  /// Runs `work`, which cancellation does not interrupt.
  package static func run<Output: Sendable>(
    _ work: @escaping @Sendable () throws -> Output
  ) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  /// Runs `work`, which cannot fail and which cancellation does not interrupt.
  package static func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }

  /// Runs `work`, which stops when the current task is cancelled.
  ///
  /// - Parameter work: Asks at least every 100 milliseconds whether it is cancelled, and then throws `CancellationError`.
  package static func runCancellable<Output: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Output
  ) async throws -> Output {
    let isCancelled = Atomic(false)
    return try await withTaskCancellationHandler {
      try await run { try work { isCancelled.load(ordering: .relaxed) } }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }
}

/// Reading that may have to wait for another program, on a thread that may: see ``BlockingWork``.
package enum BlockingRead {
  /// Returns the whole content of a file, also one that has no size, such as a pipe; `nil` if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file; `nil` for standard input.
  ///   - limit: The number of bytes to stop after.
  ///   - isCancelled: Whether to stop waiting.
  /// - Throws: `CancellationError`.
  package static func content(
    of path: String?, upTo limit: Int = .max, isCancelled: () -> Bool
  ) throws -> [UInt8]? {
    guard let path else { return try content(of: 0, limit, isCancelled) }
    // Without O_NONBLOCK the opening of a named pipe would wait, and could not be cancelled.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    return try content(of: file.number, limit, isCancelled)
  }

  /// Returns the bytes up to the next line feed, without it, and takes no byte after it; `nil` where nothing is left.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - limit: How many bytes a line may have. A longer one is cut there.
  ///   - isCancelled: Whether to stop waiting.
  /// - Throws: `CancellationError`.
  package static func line(of descriptor: Int32, limit: Int, isCancelled: () -> Bool) throws -> [UInt8]? {
    var line: [UInt8] = []
    while line.count < limit {
      if isCancelled() { throw CancellationError() }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // One entry, a local.
      guard unsafe poll(&ready, 1, 100) == 1 else { continue }
      var byte: UInt8 = 0
      // One byte at a time; `byte` outlives the call.
      let count = unsafe read(descriptor, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count == 1 else { return line.isEmpty ? nil : line }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
    return line
  }

  private static func content(of descriptor: Int32, _ limit: Int, _ isCancelled: () -> Bool) throws -> [UInt8]? {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      if isCancelled() { throw CancellationError() }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // One entry, a local.
      guard unsafe poll(&ready, 1, 100) == 1 else { continue }
      // The pointer and the count are the buffer's own.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        content += buffer[..<count]
        if content.count >= limit { return Array(content.prefix(limit)) }
      } else if count == 0 {
        return content
      } else if errno != EINTR, errno != EAGAIN {
        return nil
      }
    }
  }
}
