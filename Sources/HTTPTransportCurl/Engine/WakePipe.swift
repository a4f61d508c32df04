// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pipe whose one end wakes the thread that polls the other.
final class WakePipe: Sendable {
  private let pipe: Pipe

  /// Creates a pipe; `nil` if the process has no descriptors left.
  init?() {
    guard let pipe = Pipe() else { return nil }
    pipe.readEnd.setNonBlocking()
    pipe.writeEnd.setNonBlocking()
    self.pipe = pipe
  }

  /// The descriptor to poll for reading.
  var readEnd: Int32 { pipe.readEnd.number }

  /// Wakes the thread.
  ///
  /// A pipe that is full wakes it too.
  func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(pipe.writeEnd.number, &byte, 1)  // one byte from a local of one
  }

  /// Forgets the wake-ups so far.
  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    let size = MemoryLayout.size(ofValue: bytes)
    // Safe: reads at most the size of the local. Less than that is all there was, and a byte that comes later wakes the thread
    // again.
    while unsafe read(pipe.readEnd.number, &bytes, size) == size {}
  }
}
