// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Sockets that no program inherits which this process starts.
@Suite struct PrivateSocketTests {
  private func isInherited(_ socket: Int32) -> Bool { fcntl(socket, F_GETFD) & FD_CLOEXEC == 0 }

  private func carries(_ byte: UInt8, from sender: Int32, to receiver: Int32) -> Bool {
    var (sent, received) = (byte, UInt8(0))
    // One byte of a local each.
    return unsafe write(sender, &sent, 1) == 1 && read(receiver, &received, 1) == 1 && received == byte
  }

  @Test func socketIsPrivate() {
    let socket = PrivateSocket.make(AF_UNIX, PrivateSocket.stream)
    defer { close(socket) }
    #expect(socket >= 0)
    #expect(!isInherited(socket))
    #expect(PrivateSocket.make(-1, PrivateSocket.stream) == -1)
    #expect(PrivateSocket.accept(from: -1) == -1)
  }

  @Test func acceptedConnectionIsPrivate() throws {
    let (listener, client) = (
      PrivateSocket.make(AF_INET, PrivateSocket.stream), PrivateSocket.make(AF_INET, PrivateSocket.stream)
    )
    defer { for socket in [listener, client] { close(socket) } }
    // Without an address the system chooses one, with a port.
    #expect(listen(listener, 1) == 0)
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    // Safe: the system writes at most the size of the local, and reads what it wrote.
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(listener, $0, &size) == 0 ? connect(client, $0, size) : -1
      }
    }
    #expect(result == 0)
    let accepted = PrivateSocket.accept(from: listener)
    defer { close(accepted) }
    #expect(carries(6, from: client, to: accepted))
    #expect(!isInherited(accepted))
  }

  @Test func pairIsPrivateAndConnected() throws {
    let (first, second) = try #require(PrivateSocket.pair())
    defer { for end in [first, second] { close(end) } }
    #expect(!isInherited(first) && !isInherited(second))
    #expect(carries(7, from: first, to: second))
    #expect(carries(8, from: second, to: first))
  }

  @Test func socketThatIsReplacedKeepsItsNumberAndStaysPrivate() throws {
    let (old, new) = (try #require(PrivateSocket.pair()), try #require(PrivateSocket.pair()))
    defer { for end in [old.0, old.1, new.0, new.1] { close(end) } }
    PrivateSocket.replace(old.0, by: new.0)
    #expect(!isInherited(old.0))
    #expect(carries(9, from: old.0, to: new.1))
  }
}
