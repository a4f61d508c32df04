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

/// Blocking work on separate threads, so no thread of the concurrency pool waits for a disk, a keychain or a terminal.
package enum BlockingWork {
  /// A serial queue for each call, whose thread is created as needed.
  ///
  /// A concurrent queue has at most one thread for each processor, and shares these with Swift's tasks. Waiting calls
  /// would block all others.
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
  /// - Parameter work: A closure that calls `isCancelled` at least every 100 milliseconds, and throws
  ///   `CancellationError` if the result is `true`.
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

/// Functions for reading, which may wait for another program.
///
/// Call them on a thread that may block. See ``BlockingWork``.
package enum BlockingRead {
  /// Returns the whole content of a file, including one without a size, such as a pipe, or `nil` if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file, or `nil` for standard input.
  ///   - limit: The maximum number of bytes.
  ///   - isCancelled: A closure that returns whether to stop waiting.
  /// - Throws: `CancellationError`.
  package static func content(
    of path: String?, upTo limit: Int = .max, isCancelled: () -> Bool
  ) throws -> [UInt8]? {
    guard let path else { return try content(of: 0, limit, isCancelled) }
    // Without O_NONBLOCK, opening a named pipe would wait, and could not be cancelled.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    return try content(of: file.number, limit, isCancelled)
  }

  /// Returns the content of a regular file, or `nil` if there is no file.
  ///
  /// For any other type of file, such as a pipe, the method throws without waiting.
  ///
  /// - Parameters:
  ///   - path: The file, or a symbolic link to it.
  ///   - limit: The maximum number of bytes.
  /// - Throws: ``FileAccessError``.
  package static func content(ofRegularFile path: String, upTo limit: Int) throws -> [UInt8]? {
    // O_NONBLOCK: opening a pipe must not wait for a writer. Safe: open(2) keeps no pointer to the path.
    let number = retrying { unsafe Int(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) }
    guard number >= 0 else {
      let failure = FileAccessError(path)
      if [ENOENT, ENOTDIR].contains(failure.number) { return nil }
      throw failure
    }
    let file = FileDescriptor(owning: Int32(number))
    guard let status = file.status() else { throw FileAccessError(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileAccessError(path, EINVAL) }
    guard let content = file.read(limit: limit) else { throw FileAccessError(path) }
    return Array(content.prefix(limit))
  }

  /// Returns the bytes up to the next line feed, without it, and reads no byte after it.
  ///
  /// Returns `nil` at the end.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - limit: The maximum size of a line, in bytes. A longer line is cut there.
  ///   - isCancelled: A closure that returns whether to stop waiting.
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

/// Writes every byte to a descriptor that this process does not own, such as standard error.
///
/// Waits for an unready descriptor, unlike ``FileDescriptor/write(_:)``.
///
/// - Returns: The error number, or `nil` on success.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    // Safe: the pointer is used within the call that reads from it.
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
