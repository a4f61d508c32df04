// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A socket that listens on a loopback address.
struct ListeningSocket: ~Copyable {
  /// The maximum number of connections that wait to be accepted.
  private static let backlog: Int32 = 512

  let descriptor: FileDescriptor
  let port: Int

  init(family: LoopbackServer.Family, port: Int) throws(LoopbackError) {
    guard let wanted = UInt16(exactly: port) else {
      throw LoopbackError(.invalidPort, "The port \(port) is not in 0 ... 65535.")
    }
    let number = PrivateSocket.make(family == .ipv4 ? AF_INET : AF_INET6, PrivateSocket.stream)
    guard number >= 0 else { throw LoopbackError(errno: errno, family: family, port: port) }
    let socket = FileDescriptor(owning: number)
    socket.setNonBlocking()
    if wanted != 0 {
      // A fixed port can be reused while connections of an earlier run are still in TIME-WAIT.
      setOption(number, SOL_SOCKET, SO_REUSEADDR)
    }
    let bound =
      switch family {
      case .ipv4: bindIPv4Loopback(number, port: wanted)
      case .ipv6: bindIPv6Loopback(number, port: wanted)
      }
    guard let bound, listen(number, Self.backlog) == 0 else {
      throw LoopbackError(errno: errno, family: family, port: port)
    }
    descriptor = socket
    self.port = Int(bound)
  }
}

/// Accepts a non-blocking connection, private to this process.
///
/// - Returns: The connection, or the error number.
func acceptConnection(_ listener: borrowing FileDescriptor) -> Result<Int32, ErrorNumber> {
  let number = PrivateSocket.accept(from: listener.number)
  guard number >= 0 else { return .failure(ErrorNumber(value: errno)) }
  let connection = FileDescriptor(owning: number)
  connection.setNonBlocking()
  #if canImport(Darwin)
    setOption(number, SOL_SOCKET, SO_NOSIGPIPE)
  #endif
  setOption(number, Int32(IPPROTO_TCP), TCP_NODELAY)
  return .success(connection.release())
}

/// A value of `errno`.
struct ErrorNumber: Error {
  let value: Int32
}

private func setOption(_ socket: Int32, _ level: Int32, _ option: Int32) {
  var on: Int32 = 1
  // Safe: the pointer is to a local of the size that is passed, and is not kept.
  _ = unsafe setsockopt(socket, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
}

/// Binds to `127.0.0.1` and returns the port, or `nil` with `errno` set.
private func bindIPv4Loopback(_ socket: Int32, port: UInt16) -> UInt16? {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  return bindAndReadBack(socket, &address) ? UInt16(bigEndian: address.sin_port) : nil
}

/// Binds to `::1` only and returns the port, or `nil` with `errno` set.
private func bindIPv6Loopback(_ socket: Int32, port: UInt16) -> UInt16? {
  setOption(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY)
  var address = sockaddr_in6()
  address.sin6_family = sa_family_t(AF_INET6)
  address.sin6_addr = in6addr_loopback
  address.sin6_port = port.bigEndian
  return bindAndReadBack(socket, &address) ? UInt16(bigEndian: address.sin6_port) : nil
}

private func bindAndReadBack<Address>(_ socket: Int32, _ address: inout Address) -> Bool {
  var size = socklen_t(MemoryLayout<Address>.size)
  // `Address` is one of the system's socket address types, all of which may be read as `sockaddr`; the size is its own.
  return unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      unsafe bind(socket, generic, size) == 0 && getsockname(socket, generic, &size) == 0
    }
  }
}

extension LoopbackError {
  /// Creates the error for the number with which the system refused to listen.
  package init(errno: Int32, family: LoopbackServer.Family, port: Int) {
    switch errno {
    case EADDRINUSE:
      self.init(.addressInUse, "Another program listens on \(family.host):\(port). Stop it or choose another port.")
    case EAFNOSUPPORT, EADDRNOTAVAIL:
      self.init(.familyUnavailable, "This machine has no address \(family.host). Listen on the other loopback address.")
    case EACCES, EPERM:
      self.init(.permissionDenied, "This user may not listen on \(family.host):\(port). Choose a port above 1023.")
    default:
      self.init(.system, "The system cannot listen on \(family.host):\(port) (errno \(errno)).")
    }
  }
}
