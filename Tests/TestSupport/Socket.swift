// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A blocking stream socket.
///
/// Only `close()` closes it.
package struct Socket: Sendable, Hashable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  // MARK: Opening and closing

  /// Returns a socket on a port of `127.0.0.1` that the system chooses.
  ///
  /// - Parameter backlog: The maximum number of connections that wait to be accepted, or `nil` to bind the port without listening.
  package static func listening(backlog: Int32?) throws -> Socket {
    let new = try make()
    let bound = unsafe withUnsafePointer(to: name(port: 0, address: loopback)) {
      // A `sockaddr_in` may be read as a `sockaddr`; the size is its own.
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(new.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0, backlog.map({ listen(new.descriptor, $0) }) ?? 0 == 0 else {
      new.close()
      throw SocketError(description: "Opening a port failed with error \(errno).")
    }
    return new
  }

  /// Returns a connection to a port, or `nil` if it fails.
  ///
  /// - Parameter user: The owner of the socket, which only the superuser can change.
  package static func connected(
    to port: Int, address: UInt32 = loopback, asUser user: UInt32? = nil
  ) -> Socket? {
    guard let new = try? make() else { return nil }
    if let user { _ = fchown(new.descriptor, user, gid_t.max) }
    if new.connect(to: port, address: address) == 0 { return new }
    new.close()
    return nil
  }

  /// Returns a connection to a port of `127.0.0.1` that may never be accepted.
  package static func connecting(to port: Int) throws -> Socket {
    let new = try make()
    _ = fcntl(new.descriptor, F_SETFL, O_NONBLOCK)
    _ = new.connect(to: port)
    return new
  }

  /// Returns two connected sockets.
  package static func pair() throws -> (Socket, Socket) {
    guard let ends = PrivateSocket.pair() else {
      throw SocketError(description: "Opening a socket failed with error \(errno).")
    }
    return (Socket(descriptor: ends.0), Socket(descriptor: ends.1))
  }

  package func accept() -> Socket? {
    let number = PrivateSocket.accept(from: descriptor)
    guard number >= 0 else { return nil }
    let new = Socket(descriptor: number)
    new.set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: Int32(1))
    // A small buffer, so that a client that stops reading soon blocks the writer.
    new.set(SO_SNDBUF, of: SOL_SOCKET, to: Int32(65_536))
    new.ignoreSIGPIPE()
    return new
  }

  package func close() { _ = Self.close(descriptor) }

  package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  package func shutDownWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  package func resetOnClose() { set(SO_LINGER, of: SOL_SOCKET, to: linger(l_onoff: 1, l_linger: 0)) }

  /// The port that the socket is bound to.
  package var port: Int {
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // A `sockaddr_in` may be written as a `sockaddr`; the size is its own.
    unsafe withUnsafeMutablePointer(to: &name) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = unsafe getsockname(descriptor, $0, &size) }
    }
    return Int(UInt16(bigEndian: name.sin_port))
  }

  // MARK: Reading and writing

  /// Waits for bytes and returns them.
  ///
  /// Returns an empty array at the end of the stream.
  package func read() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      // At most as many bytes as the buffer has.
      count = unsafe max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// Writes some of the bytes and returns their number, which can be 0.
  ///
  /// Returns `nil` if the connection has ended.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #endif
    // The pointer and the count are the slice's own.
    let count = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, flags) }
    if count >= 0 { return count }
    // No space is left after all, unless poll(2) reports the end of the connection.
    return errno == EPIPE || Self.wait([(self, 0)], 0)[0] != 0 ? nil : 0
  }

  /// Waits until data or the end of the stream can be read.
  ///
  /// - Returns: `false` if the time passed.
  @discardableResult
  package func waitToRead(milliseconds: Int) -> Bool { Self.wait([(self, POLLIN)], milliseconds)[0] != 0 }

  /// Waits until data can be written or the connection has ended.
  ///
  /// - Returns: `false` if the time passed.
  package func waitToWrite(milliseconds: Int) -> Bool { Self.wait([(self, POLLOUT)], milliseconds)[0] != 0 }

  /// Waits for the end of `other`'s stream.
  ///
  /// Returns `false` if this connection ends first.
  package func wait(for other: Socket) -> Bool { Self.wait([(other, POLLIN), (self, 0)], -1)[0] != 0 }

  /// Lets programs inherit the socket, like a socket of other code that does not mark it.
  package func letProgramsInherit() { _ = fcntl(descriptor, F_SETFD, 0) }

  /// Removes the pending error of the socket, and returns it, or 0.
  package func takeError() -> Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: error))
    // The pointers are to locals of the size that is passed.
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
    return error
  }

  // MARK: The system's calls

  /// The address 127.0.0.1.
  package static let loopback: UInt32 = 0x7F00_0001

  private static func make() throws -> Socket {
    let number = PrivateSocket.make(AF_INET, PrivateSocket.stream)
    guard number >= 0 else { throw SocketError(description: "Opening a socket failed with error \(errno).") }
    let new = Socket(descriptor: number)
    new.ignoreSIGPIPE()
    return new
  }

  private func ignoreSIGPIPE() {
    #if canImport(Darwin)
      set(SO_NOSIGPIPE, of: SOL_SOCKET, to: Int32(1))
    #endif
  }

  private static func name(port: Int, address: UInt32) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = address.bigEndian
    name.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    return name
  }

  private func connect(to port: Int, address: UInt32 = loopback) -> Int32 {
    unsafe withUnsafePointer(to: Self.name(port: port, address: address)) {
      // A `sockaddr_in` may be read as a `sockaddr`; the size is its own.
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Self.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Calls connect(2), which reads the `size` bytes of `name` during the call.
  private static func connect(_ descriptor: Int32, _ name: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    #if canImport(Darwin)
      unsafe Darwin.connect(descriptor, name, size)
    #elseif canImport(Musl)
      unsafe Musl.connect(descriptor, name, size)
    #else
      unsafe Glibc.connect(descriptor, name, size)
    #endif
  }

  private static func close(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
  }

  private func set<Value: BitwiseCopyable>(_ option: Int32, of level: Int32, to value: Value) {
    var value = value
    // The pointer is to a local of the size that is passed.
    _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Returns the events of each socket, all 0 if the time passed without one.
  private static func wait(_ sockets: [(Socket, Int32)], _ milliseconds: Int) -> [Int16] {
    var entries = sockets.map { pollfd(fd: $0.0.descriptor, events: Int16($0.1), revents: 0) }
    // The pointer and the count are the array's own.
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(milliseconds))
    return entries.map(\.revents)
  }
}

/// An error of the system when creating a socket.
package struct SocketError: Error, CustomStringConvertible {
  /// The message of the error.
  package let description: String

  /// Creates an error.
  package init(description: String) { self.description = description }
}
