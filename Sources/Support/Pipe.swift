// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pipe of this process, which programs that it starts do not inherit.
package final class Pipe: Sendable {
  /// The descriptor to read from.
  package let readEnd: FileDescriptor
  /// The descriptor to write to.
  package let writeEnd: FileDescriptor

  /// Creates a pipe; `nil`, with `errno` set, if the process has no descriptors left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    // The array holds the two elements that pipe(2) writes.
    guard unsafe pipe(&ends) == 0 else { return nil }
    readEnd = FileDescriptor(owning: ends[0])
    writeEnd = FileDescriptor(owning: ends[1])
    readEnd.setCloseOnExec()
    writeEnd.setCloseOnExec()
  }
}
