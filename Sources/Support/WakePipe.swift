// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pipe that wakes the thread that polls its read end.
package final class WakePipe: Sendable {
  private let pipe: Pipe

  /// Creates a pipe, or returns `nil` if the process has no descriptors left.
  package init?() {
    guard let pipe = Pipe() else { return nil }
    pipe.readEnd.setNonBlocking()
    pipe.writeEnd.setNonBlocking()
    self.pipe = pipe
  }

  /// The descriptor to poll for reading.
  package var readEnd: Int32 { pipe.readEnd.number }

  /// Wakes the thread.
  ///
  /// If the pipe is full, the thread is already being woken.
  package func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(pipe.writeEnd.number, &byte, 1)  // one byte from a local of one
  }

  /// Discards the pending wake-ups.
  package func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    let size = MemoryLayout.size(ofValue: bytes)
    // Safe: reads at most the size of the local. A shorter read has emptied the pipe, and a later byte wakes the thread again.
    while unsafe read(pipe.readEnd.number, &bytes, size) == size {}
  }
}
