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
