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

/// Sockets not inherited by child programs of this process.
///
/// On Linux, sockets are created with this property. On Apple platforms, they are marked after their creation, and
/// another thread may start a program before that. ``ProgramStart`` passes no such descriptors to programs there.
package enum PrivateSocket {
  /// A stream socket's type.
  package static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// Calls socket(2).
  ///
  /// - Returns: The socket, or -1 with `errno` set.
  package static func make(_ family: Int32, _ type: Int32, _ protocolNumber: Int32 = 0) -> Int32 {
    #if canImport(Darwin)
      mark(socket(family, type, protocolNumber))
    #else
      socket(family, type | closeOnExec, protocolNumber)
    #endif
  }

  /// Calls accept(2).
  ///
  /// - Returns: The connection, or -1 with `errno` set.
  package static func accept(from listener: Int32) -> Int32 {
    #if canImport(Darwin)
      mark(Darwin.accept(listener, nil, nil))
    #else
      almanac_accept(listener, closeOnExec)
    #endif
  }

  /// Calls socketpair(2).
  ///
  /// - Returns: Two connected stream sockets, or `nil`, with `errno` set, if the call fails.
  package static func pair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    // Safe: two descriptors are written to an array of two.
    #if canImport(Darwin)
      guard unsafe socketpair(AF_UNIX, stream, 0, &ends) == 0 else { return nil }
      return (mark(ends[0]), mark(ends[1]))
    #else
      guard unsafe socketpair(AF_UNIX, stream | closeOnExec, 0, &ends) == 0 else { return nil }
      return (ends[0], ends[1])
    #endif
  }

  /// Replaces the file of `descriptor`, which keeps its number, with the file of `source`.
  package static func replace(_ descriptor: Int32, by source: Int32) {
    #if canImport(Darwin)
      _ = mark(dup2(source, descriptor))
    #else
      _ = dup3(source, descriptor, O_CLOEXEC)
    #endif
  }

  #if canImport(Darwin)
    private static func mark(_ descriptor: Int32) -> Int32 {
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return descriptor
    }
  #elseif canImport(Glibc)
    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
  #else
    private static let closeOnExec = SOCK_CLOEXEC
  #endif
}
