// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#else
  import CLinux

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#endif

/// A pipe of this process, which child programs do not inherit.
package final class Pipe: Sendable {
  /// The descriptor to read from.
  package let readEnd: FileDescriptor
  /// The descriptor to write to.
  package let writeEnd: FileDescriptor

  /// Creates a pipe, or returns `nil`, with `errno` set, if the process has no descriptors left.
  package init?() {
    guard let ends = Pipe.ends() else { return nil }
    readEnd = FileDescriptor(owning: ends.read)
    writeEnd = FileDescriptor(owning: ends.write)
  }
}

extension Pipe {
  /// Returns the ends of a new pipe, which the caller closes, or `nil`, with `errno` set, if the process has no
  /// descriptors left.
  ///
  /// On Linux, no program inherits the ends, not even one started by another thread at the same time. Neither end has
  /// the number 0, 1 or 2, even if these are closed, so no printed text can reach the pipe.
  static func ends() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    // The array holds the two elements that pipe(2) writes.
    #if canImport(Darwin)
      guard unsafe pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    #endif
    for (index, end) in ends.enumerated() where end <= 2 {
      ends[index] = fcntl(end, F_DUPFD_CLOEXEC, 3)
      _ = close(end)
    }
    guard ends.allSatisfy({ $0 > 2 }) else {
      ends.filter { $0 > 2 }.forEach { _ = close($0) }
      return nil
    }
    return (ends[0], ends[1])
  }
}
