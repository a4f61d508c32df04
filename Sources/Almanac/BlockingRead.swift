import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reading that may have to wait: for a pipe, or for a person at a terminal.
package enum BlockingRead {
  /// Runs `body` on a thread that may wait.
  ///
  /// - Parameter body: Asks at least every 100 milliseconds whether it is cancelled, and then throws `CancellationError`.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Value
  ) async throws -> Value {
    let isCancelled = Atomic(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try body { isCancelled.load(ordering: .relaxed) } })
        }
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  /// The whole content of a file, also one that has no size, such as a pipe.
  ///
  /// - Parameters:
  ///   - path: The file; `nil` for standard input.
  ///   - isCancelled: Whether to stop waiting.
  /// - Returns: The content; `nil` if it cannot be read.
  /// - Throws: `CancellationError`.
  package static func content(of path: String?, isCancelled: () -> Bool) throws -> [UInt8]? {
    guard let path else { return try content(of: 0, isCancelled) }
    // Without O_NONBLOCK the opening of a named pipe would wait, and could not be cancelled.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try content(of: descriptor, isCancelled)
  }

  private static func content(of descriptor: Int32, _ isCancelled: () -> Bool) throws -> [UInt8]? {
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
      } else if count == 0 {
        return content
      } else if errno != EINTR, errno != EAGAIN {
        return nil
      }
    }
  }
}
