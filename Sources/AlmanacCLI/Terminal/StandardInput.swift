import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What another program or a file sends to this one.
enum StandardInput {
  /// Reads until the end.
  ///
  /// - Throws: ``UsageError`` if it cannot be read; `CancellationError`, promptly, when the current task is cancelled.
  static func readToEnd() async throws -> [UInt8] {
    let isCancelled = Atomic(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Waiting for a person or a program must not hold a thread of the cooperative pool.
        DispatchQueue.global().async {
          continuation.resume(with: Result { try readAll { isCancelled.load(ordering: .relaxed) } })
        }
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  private static func readAll(isCancelled: () -> Bool) throws -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if isCancelled() { throw CancellationError() }
      var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      // `ready` outlives the call.
      guard unsafe poll(&ready, 1, 100) == 1 else { continue }
      // At most `buffer.count` bytes are written into the buffer, which outlives the call.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
      if count == 0 { return content }
      if count > 0 {
        content += buffer.prefix(count)
      } else if errno != EINTR && errno != EAGAIN {
        throw UsageError("Standard input cannot be read.")
      }
    }
  }
}
