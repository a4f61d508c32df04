// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The user who owns the other end of a loopback connection, as the kernel reports it.
package enum PeerUser: Sendable, Hashable {
  /// A process of the user with this number has the other end open.
  case user(UInt32)
  /// No process has the other end open any more, so its user is unknown.
  case gone
  /// The system does not report the owners of sockets.
  case untold
}

extension PeerUser {
  /// Whether the peer belongs to the user of this process.
  ///
  /// A superuser can access every process, so rejecting one protects nothing. A peer that has closed its end cannot
  /// read a response, and the kernel reports its socket as the superuser's. No browser closes its end early.
  package var isOfThisUser: Bool {
    switch self {
    case .user(let number): number == 0 || number == geteuid() || number == getuid()
    case .gone: false
    case .untold: true
    }
  }

  #if os(Linux)
    /// Looks up the peer of a connection.
    ///
    /// This reads the kernel's table of sockets, which takes some milliseconds on a machine with thousands of them.
    package init(ofConnection socket: Int32) {
      guard let own = SocketName(of: socket, isRemote: false), let peer = SocketName(of: socket, isRemote: true) else {
        self = .gone
        return
      }
      self.init(peer: peer, own: own) { $0.read($1) }
    }

    /// Searches for a peer in the tables of sockets, up to three times: the kernel does not write a table at one instant, so a line
    /// can be missing.
    ///
    /// - Parameter read: A function that passes the lines of the table at a path to the search.
    package init(peer: SocketName, own: SocketName, reading read: (inout PeerSearch, String) -> Void) {
      self = .untold
      for _ in 0..<3 {
        var search = PeerSearch(peer: peer, own: own)
        // A program may connect to an IPv4 address through a socket for IPv6.
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] where !search.isDone { read(&search, path) }
        if search.result != .untold { self = search.result }
        if search.isDone { return }
      }
    }
  #else
    init(ofConnection socket: Int32) { self = .untold }
  #endif
}
