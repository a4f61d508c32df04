// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pipe whose one end wakes the thread that polls the other.
final class WakePipe: Sendable {
  /// The descriptor to poll for reading.
  let readEnd: Int32
  private let writeEnd: Int32

  /// Creates a pipe; `nil` if the process has no descriptors left.
  init?() {
    var ends: (Int32, Int32) = (-1, -1)
    // Safe: pipe(2) writes two descriptors, one beside the other, as the tuple has them.
    let result = unsafe withUnsafeMutablePointer(to: &ends) { pointer in
      unsafe pointer.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe pipe($0) }
    }
    guard result == 0 else { return nil }
    (readEnd, writeEnd) = ends
    for end in [readEnd, writeEnd] {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Returns a socket whose other end is closed; `nil` if the process has no descriptors left.
  static func closedSocket() -> Int32? {
    var ends: (Int32, Int32) = (-1, -1)
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    // Safe: socketpair(2) writes two descriptors, one beside the other, as the tuple has them.
    let result = unsafe withUnsafeMutablePointer(to: &ends) { pointer in
      unsafe pointer.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe socketpair(AF_UNIX, type, 0, $0) }
    }
    guard result == 0 else { return nil }
    close(ends.1)
    return ends.0
  }

  /// Wakes the thread.
  ///
  /// A pipe that is full wakes it too.
  func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(writeEnd, &byte, 1)  // one byte from a local of one
  }

  /// Forgets the wake-ups so far.
  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    let size = MemoryLayout.size(ofValue: bytes)
    // Safe: reads at most the size of the local. Less than that is all there was, and a byte that comes later wakes the thread
    // again.
    while unsafe read(readEnd, &bytes, size) == size {}
  }
}
