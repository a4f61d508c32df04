// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import HTTPTransport
  import LoopbackHTTP
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The users that a server serves, by the kernel's table of sockets.
  @Suite(.takesTurns) struct OtherUserTests {
    private static let peer = SocketName(ipv4: [127, 0, 0, 1], port: 0xC350)
    private static let own = SocketName(ipv4: [127, 0, 0, 1], port: 0x1F90)

    /// The columns of a table after the addresses.
    private static func rest(user: String, inode: String) -> String {
      "01 00000000:00000000 00:00000000 00000000 \(user)        0 \(inode) 1 0000000000000000 20 4 30 10 -1"
    }

    private static func user(in table: [String]) -> PeerUser {
      var search = PeerSearch(peer: peer, own: own)
      for line in table { search.look(at: Array(line.utf8)[...]) }
      return search.result
    }

    private static let ownLine = "   3: 0100007F:1F90 0100007F:C350 \(rest(user: " 1000", inode: "77"))"

    @Test(
      arguments: [
        (["   4: 0100007F:C350 0100007F:1F90 \(rest(user: " 1001", inode: "78"))"], .user(1001)),
        (["   4: 0100007F:C350 0100007F:1F90 \(rest(user: "    0", inode: "78"))"], .user(0)),
        (["   4: 0100007F:C350 0100007F:1F90 \(rest(user: "65534", inode: "78"))"], .user(65534)),
        // Closed, or in TIME-WAIT: the kernel writes the superuser's number.
        (["   4: 0100007F:C350 0100007F:1F90 \(rest(user: "    0", inode: "0"))"], .gone),
        // A socket for IPv6 with an IPv4 address.
        (
          [
            "   4: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:1F90 \(rest(user: " 1002", inode: "78"))"
          ], .user(1002)
        ),
        ([], .gone), (["   4: 0100007F:C351 0100007F:1F90 \(rest(user: " 1001", inode: "78"))"], .gone),
        (["   4: 0100007F:C350 0100007F:1F91 \(rest(user: " 1001", inode: "78"))"], .gone),
        (["   4: 0200007F:C350 0100007F:1F90 \(rest(user: " 1001", inode: "78"))"], .gone),
        (["   4: 0100007F:C350 0100007F:1F90 01"], .gone), ([""], .gone),
        (["   4: 0100007F:C350 0100007F:1F90 \(rest(user: "99999999999", inode: "78"))"], .gone),
      ] as [([String], PeerUser)])
    func peerIsFoundInTheTable(lines: [String], user: PeerUser) {
      #expect(Self.user(in: [Self.ownLine] + lines) == user)
      #expect(Self.user(in: lines + [Self.ownLine]) == user)
    }

    @Test func tableWithoutTheConnectionSaysNothing() {
      #expect(Self.user(in: []) == .untold)
      #expect(Self.user(in: ["  sl  local_address rem_address   st tx_queue rx_queue tr"]) == .untold)
    }

    /// The columns up to the inode are needed, and no more.
    @Test(arguments: [(10, PeerUser.user(1001)), (9, .gone), (8, .gone), (11, .user(1001)), (17, .user(1001))])
    func lineMayEndAfterTheInode(columns: Int, user: PeerUser) {
      let line = "   4: 0100007F:C350 0100007F:1F90 \(Self.rest(user: " 1001", inode: "78"))"
      let short = line.split(separator: " ").prefix(columns).joined(separator: " ")
      #expect(Self.user(in: [Self.ownLine, short]) == user)
    }

    private func status(of client: RawClient, at server: LoopbackServer) async throws -> String {
      await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
      return String(try await client.readToEnd().prefix(12))
    }

    @Test func ownUserIsServed() async throws {
      let server = try await LoopbackServer.start(clients: .thisUser, handler: echo)
      let client = try await RawClient.connect(to: server.port)
      #expect(try await status(of: client, at: server) == "HTTP/1.1 200")
      await server.stop()
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
      #expect(try await status(of: client, at: server) == "HTTP/1.1 \(expected)")
      await server.stop()
    }

    @Test(.enabled(if: geteuid() == 0)) func otherUserIsToldWhy() async throws {
      let server = try await LoopbackServer.start(clients: .thisUser, handler: unreachable)
      let client = try await RawClient.connect(to: server.port, asUser: 65_534)
      await client.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
      let response = try await client.readToEnd()
      #expect(
        response == """
          HTTP/1.1 403 Forbidden\r
          Content-Type: text/plain; charset=utf-8\r
          X-Content-Type-Options: nosniff\r
          Content-Length: 72\r
          Connection: close\r
          \r
          This server is for the user who started it. Use a program of that user.\n
          """)
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
            await client.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\nConnection: close\r\n\r\n")
            statuses.append(String(try await client.readToEnd().dropFirst(9).prefix(3)))
          }
          await server.stop()
          return statuses
        }
        // The user who started it is 1001; it acts for the superuser, who may give sockets away.
        precondition(setreuid(1001, 0) == 0)
        let started = try await statuses(of: [1001, 0, 1002])
        precondition(started == ["200", "200", "403"], "\(started)")
        // The superuser started it; it acts for 1002, whose sockets are then that user's.
        precondition(setreuid(0, 1002) == 0)
        let acting = try await statuses(of: [nil])
        precondition(acting == ["200"], "\(acting)")
      }
    }
  }
#endif
