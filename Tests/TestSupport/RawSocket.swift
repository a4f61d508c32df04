// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Support

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Calls about sockets by their numbers, for tests of what the system knows of a socket.
  package enum RawSocket {
    /// The value of an option; 0 if the socket does not have it.
    package static func value(of socket: Int32, _ level: Int32, _ option: Int32) -> Int32 {
      var value: Int32 = 0
      var size = socklen_t(MemoryLayout.size(ofValue: value))
      // Safe: the system writes at most the size of the local.
      _ = unsafe getsockopt(socket, level, option, &value, &size)
      return value
    }

    /// The port that a socket of IPv4 or IPv6 is bound to; `nil` for another descriptor.
    package static func localPort(of socket: Int32) -> Int? {
      var name = sockaddr_storage()
      var size = socklen_t(MemoryLayout.size(ofValue: name))
      // Safe: the system writes at most the size of the local, which may be read as a name of any family.
      let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(socket, $0, &size) }
      }
      guard result == 0, [AF_INET, AF_INET6].contains(Int32(name.ss_family)) else { return nil }
      // Safe: a local of the type. Both families have the port after the family.
      return unsafe withUnsafeBytes(of: &name) { unsafe Int($0[2]) << 8 | Int($0[3]) }
    }

    /// A socket that listens at a loopback address, and its port; `nil` if the machine does not have the address.
    package static func listener(_ family: Int32) -> (number: Int32, port: Int)? {
      let number = PrivateSocket.make(family, PrivateSocket.stream)
      // Safe, as in `connection(to:_:)`: the pointer and the size are those of the address.
      let isBound = unsafe withLoopback(family, port: 0) { unsafe bind(number, $0, $1) == 0 }
      guard isBound, listen(number, 8) == 0, let port = localPort(of: number) else {
        close(number)
        return nil
      }
      return (number, port)
    }

    /// The ends of a connection to a listener; `nil` if there is none.
    package static func connection(
      to listener: (number: Int32, port: Int), _ family: Int32 = AF_INET
    ) -> (client: Int32, accepted: Int32)? {
      let client = connect(to: listener.port, family)
      return client < 0 ? nil : (client, accept(listener.number, nil, nil))
    }

    /// Returns a connection to a loopback port, or -1.
    package static func connect(to port: Int, _ family: Int32 = AF_INET) -> Int32 {
      let client = PrivateSocket.make(family, PrivateSocket.stream)
      if unsafe withLoopback(family, port: port, { unsafe systemConnect(client, $0, $1) == 0 }) { return client }
      close(client)
      return -1
    }

    /// Makes the close of a connection reset it.
    package static func resetOnClose(_ socket: Int32) {
      var linger = linger(l_onoff: 1, l_linger: 0)
      // Safe: a local of the size that is passed.
      unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Sends bytes without waiting, and returns their number.
    @discardableResult
    package static func send(_ count: Int, to socket: Int32) -> Int {
      let bytes = [UInt8](repeating: 0x61, count: count)
      // Safe: the pointer and the count are the array's own.
      return unsafe bytes.withUnsafeBytes {
        unsafe systemSend(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
    }

    /// Receives at most so many bytes without waiting; returns 0 at the end of the connection, and -1 if there are none.
    @discardableResult
    package static func receive(_ count: Int, from socket: Int32, isPeek: Bool = false) -> Int {
      var bytes = [UInt8](repeating: 0, count: count)
      // Safe: the pointer and the count are the array's own.
      return unsafe bytes.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | (isPeek ? Int32(MSG_PEEK) : 0))
      }
    }

    /// Calls `body` with the loopback address of a family.
    private static func withLoopback<Result>(
      _ family: Int32, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      var (ipv4, ipv6) = (sockaddr_in(), sockaddr_in6())
      (ipv4.sin_family, ipv6.sin6_family) = (sa_family_t(AF_INET), sa_family_t(AF_INET6))
      (ipv4.sin_port, ipv6.sin6_port) = (UInt16(port).bigEndian, UInt16(port).bigEndian)
      ipv4.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      ipv6.sin6_addr = in6addr_loopback
      func call<Name>(_ name: inout Name) -> Result {
        // Safe: the pointer is to a local of the size that is passed, which may be read as a `sockaddr`.
        unsafe withUnsafePointer(to: &name) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<Name>.size))
          }
        }
      }
      return family == AF_INET ? call(&ipv4) : call(&ipv6)
    }
  }

  // The methods above would hide the functions' own names.
  private func systemConnect(_ socket: Int32, _ name: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    unsafe connect(socket, name, size)
  }

  private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    unsafe send(socket, bytes, count, flags)
  }
#endif
