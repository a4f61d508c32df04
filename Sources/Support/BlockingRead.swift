// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
