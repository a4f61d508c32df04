// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The user who owns the other end of a loopback connection, as the kernel says.
package enum PeerUser: Sendable, Hashable {
  /// A process of the user with this number has the other end open.
  case user(UInt32)
  /// No process has the other end open any more, so that its user is not known.
  case gone
  /// The system does not say whom sockets belong to.
  case untold
}

extension PeerUser {
  /// Whether the peer belongs to the user of this process.
  ///
  /// A superuser can look into every process, so refusing one protects nothing. A peer that has closed its end cannot read a response: a
  /// browser does not do that, and the kernel reports such a socket as the superuser's.
  var isOfThisUser: Bool {
    switch self {
    case .user(let number): number == 0 || number == geteuid() || number == getuid()
    case .gone: false
    case .untold: true
    }
  }

  #if os(Linux)
    /// Looks the peer of a connection up.
    ///
    /// It reads the kernel's table of sockets, which takes some milliseconds on a machine with thousands of them.
    init(ofConnection socket: borrowing FileDescriptor) {
      guard let own = SocketName(of: socket.number, isRemote: false),
        let peer = SocketName(of: socket.number, isRemote: true)
      else {
        self = .gone
        return
      }
      var result = PeerUser.untold
      // The table is not read at one instant, so that a line can be missed.
      for _ in 0..<3 {
        var search = PeerSearch(peer: peer, own: own)
        // A program may connect to an IPv4 address through a socket for IPv6.
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] where !search.isDone { search.read(path) }
        if search.result != .untold { result = search.result }
        if search.isDone { break }
      }
      self = result
    }
  #else
    init(ofConnection socket: borrowing FileDescriptor) { self = .untold }
  #endif
}
