#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Owns a file descriptor and closes it at the end of its life.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Hands the descriptor over without closing it.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Makes the descriptor non-blocking and keeps it from programs that this process starts.
  borrowing func makePrivateAndNonBlocking() {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }
}
