// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Owns a file descriptor and closes it at the end of its life.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor, valid for as long as this value lives.
  package let number: Int32

  /// Takes over a descriptor.
  package init(owning number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Hands the descriptor over without closing it.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Makes calls fail with `EAGAIN` instead of waiting.
  package borrowing func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}
