// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import LoopbackHTTP
  import Support
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The lookup of a connection's other end: its names, the tables that are read, and the files that hold them.
  @Suite(.takesTurns) struct PeerLookupTests {
    private static let peer = SocketName(ipv4: [127, 0, 0, 1], port: 0xC350)
    private static let own = SocketName(ipv4: [127, 0, 0, 1], port: 0x1F90)
    private static let ownLine = line("0100007F:1F90 0100007F:C350", user: 1000, inode: 77)
    private static let peerNames = "0100007F:C350 0100007F:1F90"
    private static let peerLine = line(peerNames, user: 1001, inode: 78)
    private static let mapped = "0000000000000000FFFF0000"

    private static func line(_ names: String, user: Int, inode: Int) -> String {
      "   4: \(names) 01 00000000:00000000 00:00000000 00000000 \(user)        0 \(inode) 1 0000000000000000 20 4 30 10 -1"
    }

    // MARK: The lines

    @Test(
      arguments: [
        ([line(peerNames, user: 1001, inode: 78)], .user(1001)), ([line(peerNames, user: 0, inode: 78)], .user(0)),
        ([line(peerNames, user: 65534, inode: 78)], .user(65534)),
        // Closed, or in TIME-WAIT: the kernel writes the superuser's number.
        ([line(peerNames, user: 0, inode: 0)], .gone),
        // A socket for IPv6 with an IPv4 address.
        ([line("\(mapped)0100007F:C350 \(mapped)0100007F:1F90", user: 1002, inode: 78)], .user(1002)),
        ([], .gone), ([line("0100007F:C351 0100007F:1F90", user: 1001, inode: 78)], .gone),
        ([line("0100007F:C350 0100007F:1F91", user: 1001, inode: 78)], .gone),
        ([line("0200007F:C350 0100007F:1F90", user: 1001, inode: 78)], .gone), ([""], .gone),
        ([line(peerNames, user: 99_999_999_999, inode: 78)], .gone),
      ] as [([String], PeerUser)])
    func peerIsFoundInTheTable(_ lines: [String], _ user: PeerUser) {
      #expect(Self.user(in: [Self.ownLine] + lines) == user)
      #expect(Self.user(in: lines + [Self.ownLine]) == user)
    }

    private static func user(in table: [String]) -> PeerUser {
      var search = PeerSearch(peer: peer, own: own)
      for line in table { search.look(at: Array(line.utf8)[...]) }
      return search.result
    }

    // MARK: The tables

    /// Each pass reads both tables until the peer is found; without it, there are three passes.
    @Test(
      arguments: [
        ([[peerLine]], .user(1001), 1), ([[ownLine, peerLine]], .user(1001), 1), ([[], [peerLine]], .user(1001), 2),
        ([[ownLine], [peerLine]], .user(1001), 2), ([[ownLine], [], [], [peerLine]], .user(1001), 4),
        ([[ownLine], [], [], [], [], [peerLine]], .user(1001), 6), ([[], [], [], [], [], [], [peerLine]], .untold, 6),
        ([], .untold, 6), ([[ownLine]], .gone, 6), ([[], [], [], [], [], [ownLine]], .gone, 6),
        ([[ownLine], [], [], [], [], [], [peerLine]], .gone, 6),
        // A closed peer is found too.
        ([[line(peerNames, user: 0, inode: 0)], [peerLine]], .gone, 1),
      ] as [([[String]], PeerUser, Int)])
    func tablesAreReadUntilThePeerIsFound(_ tables: [[String]], _ user: PeerUser, _ count: Int) {
      var paths: [String] = []
      let found = PeerUser(peer: Self.peer, own: Self.own) { search, path in
        if paths.count < tables.count { for line in tables[paths.count] { search.look(at: Array(line.utf8)[...]) } }
        paths.append(path)
      }
      #expect(found == user)
      #expect(paths == (0..<count).map { $0 % 2 == 0 ? "/proc/net/tcp" : "/proc/net/tcp6" })
    }

    // MARK: The files

    /// A table comes in pieces, which end anywhere in a line.
    @Test(arguments: [0, 1, 5, 20, 60, 100, 140, 149, 150]) func lineMayBeCutBetweenTwoPieces(_ offset: Int) throws {
      let other = Self.line("0100007F:0001 0100007F:0002", user: 7, inode: 9) + "\n"
      var text = String(repeating: other, count: (64 << 10) / other.utf8.count - 2)
      text += String(repeating: "x", count: (64 << 10) - text.utf8.count - offset - 1) + "\n"
      #expect(try Self.user(inTable: text + Self.peerLine + "\n" + other) == .user(1001))
    }

    @Test func tableThatCannotBeReadSaysNothing() {
      var search = PeerSearch(peer: Self.peer, own: Self.own)
      search.read("/nonexistent/table")
      search.read("/")
      #expect(search.result == .untold && !search.isDone)
    }

    private static func user(inTable text: String) throws -> PeerUser {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      try text.write(to: file, atomically: false, encoding: .utf8)
      var search = PeerSearch(peer: peer, own: own)
      search.read(file.path())
      return search.result
    }

    // MARK: The names

    /// The kernel writes each four bytes as a number in the machine's order.
    @Test func namesAreTheKernels() {
      let isLittle = UInt32(1).littleEndian == 1
      for (name, text) in [
        (SocketName(ipv4: [10, 0, 255, 1], port: 0x0102), isLittle ? "01FF000A:0102" : "0A00FF01:0102"),
        (
          SocketName(ipv4: [10, 0, 255, 1], port: 0xFFFF),
          isLittle ? "0000000000000000FFFF000001FF000A:FFFF" : "00000000000000000000FFFF0A00FF01:FFFF"
        ),
        (
          SocketName(ipv6: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255], port: 0),
          isLittle ? "03020100070605040B0A0908FF0E0D0C:0000" : "000102030405060708090A0B0C0D0EFF:0000"
        ),
      ] {
        var search = PeerSearch(peer: name, own: Self.own)
        search.look(at: Array(Self.line("\(text) 0100007F:1F90", user: 5, inode: 1).utf8)[...])
        #expect(search.result == .user(5), "\(text)")
      }
    }

    @Test(arguments: [AF_INET, AF_INET6]) func peerOfAConnectionIsThisUser(_ family: Int32) throws {
      guard let listener = RawSocket.listener(family) else { return }
      let (client, accepted) = try #require(RawSocket.connection(to: listener, family))
      #expect(PeerUser(ofConnection: accepted) == .user(geteuid()))
      #expect(PeerUser(ofConnection: client) == .user(geteuid()))
      // A listener and a closed socket have no peer.
      #expect(PeerUser(ofConnection: listener.number) == .gone)
      #expect(PeerUser(ofConnection: -1) == .gone)
      close(client)
      #expect(PeerUser(ofConnection: accepted) == .gone)
      for number in [accepted, listener.number] { close(number) }
    }

    @Test(arguments: [
      (PeerUser.user(0), true), (.user(geteuid()), true), (.user(getuid()), true), (.user(4_000_000_000), false),
      (.gone, false), (.untold, true),
    ])
    func ownUserIsKnown(_ peer: PeerUser, _ isOwn: Bool) { #expect(peer.isOfThisUser == isOwn) }

    // MARK: The server

    private static func status(of client: RawClient, at server: LoopbackServer) async throws -> String {
      await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
      return String(try await client.readToEnd().prefix(12))
    }

    /// The superuser can give a socket to another user, as a program of that user would have opened it.
    @Test(
      .enabled(if: geteuid() == 0),
      arguments: [(.thisUser, 65_534, 403), (.everyUser, 65_534, 200), (.thisUser, 0, 200)]
        as [(LoopbackServer.Clients, UInt32, Int)])
    func otherUserIsServedWhereEveryUserIs(clients: LoopbackServer.Clients, user: UInt32, status expected: Int)
      async throws
    {
      let server = try await LoopbackServer.start(clients: clients, handler: echo)
      let client = try await RawClient.connect(to: server.port, asUser: user)
      #expect(try await Self.status(of: client, at: server) == "HTTP/1.1 \(expected)")
      await server.stop()
    }

    /// A process that was started by one user and acts for another serves both, and the superuser.
    ///
    /// It is a process of its own, since its users are all of its threads'.
    @Test(.enabled(if: geteuid() == 0)) func realAndEffectiveUserAreServed() async {
      await #expect(processExitsWith: .success) {
        func statuses(of users: [UInt32?]) async throws -> [String] {
          let server = try await LoopbackServer.start(clients: .thisUser, handler: echo)
          var statuses: [String] = []
          for user in users {
            let client = try await RawClient.connect(to: server.port, asUser: user)
            statuses.append(try await Self.status(of: client, at: server))
          }
          await server.stop()
          return statuses
        }
        // The user who started it is 1001; it acts for the superuser, who may give sockets away.
        precondition(setreuid(1001, 0) == 0)
        let started = try await statuses(of: [1001, 0, 1002])
        precondition(started.map { $0.suffix(3) } == ["200", "200", "403"], "\(started)")
        // The superuser started it; it acts for 1002, whose sockets are then that user's.
        precondition(setreuid(0, 1002) == 0)
        let acting = try await statuses(of: [nil])
        precondition(acting.map { $0.suffix(3) } == ["200"], "\(acting)")
      }
    }
  }
#endif
