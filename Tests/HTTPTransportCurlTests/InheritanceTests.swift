// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CLibcurlFaults
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import LoopbackHTTP
  import Support
  import Synchronization
  import TestSupport
  import Testing
  import TransportKit

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The descriptors that a program gets which other code of the process starts, while connections are open.
  @Suite(.takesTurns) struct InheritanceTests {
    /// The sockets, pipes and sets that a program gets, by name.
    ///
    /// The program opens nothing itself, and its descriptors are read while it runs.
    ///
    /// - Parameter known: The names that are left out.
    private static func inherited(except known: Set<String> = []) async throws -> Set<String> {
      // It blocks until the program runs, and until it has ended.
      try await BlockingWork.run { try inheritedNow(except: known) }
    }

    private static func inheritedNow(except known: Set<String>) throws -> Set<String> {
      var arguments: [UnsafeMutablePointer<CChar>?] =
        unsafe ["sleep", "60"].map { (text: String) in unsafe strdup(text) }
      // Every pointer is used within its call.
      unsafe arguments.append(nil)
      defer { unsafe arguments.forEach { unsafe free($0) } }
      var process: pid_t = 0
      try #require(unsafe posix_spawnp(&process, "sleep", nil, nil, arguments, environ) == 0)
      defer {
        var status: Int32 = 0
        kill(process, SIGKILL)
        _ = unsafe waitpid(process, &status, 0)
      }
      // The call returns before the system closes descriptors, after which it names the process.
      while try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8) != "sleep\n" {}
      let folder = "/proc/\(process)/fd"
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      return Set(files.filter { file in ["socket:", "pipe:", "anon_inode:"].contains { file.hasPrefix($0) } })
        .subtracting(known)
    }

    /// The descriptors that a program gets because a transport and a server are in use.
    private static func inheritedFromConnections() async throws -> Set<String> {
      let before = try await inherited()
      let server = try HostileServer(.response(200, body: "ok"))
      defer { server.stop() }
      let loopback = try await LoopbackServer.start { _ in HTTPResponse(status: 204) }
      let http = CurlTransport(proxy: .none)
      _ = try await http.send(HTTPRequest(.get, server.url()))
      _ = try await http.send(HTTPRequest(.get, loopback.url))
      let stream = try await http.stream(HTTPRequest(.get, server.url()), body: nil)
      #expect(server.counts.open > 0)
      let inherited = try await inherited(except: before)
      for try await _ in stream.body {}
      await loopback.stop()
      return inherited
    }

    /// Leaves free numbers that do not follow one another, of which the system gives the lowest.
    private static func spreadNumbers() {
      let numbers = (1...64).map { _ in unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
      for (index, number) in numbers.enumerated() where index.isMultiple(of: 2) { _ = close(number) }
    }

    @Test(arguments: [false, true]) func programsGetNoDescriptorOfATransport(numbersAreApart: Bool) async {
      await #expect(processExitsWith: .success) { [numbersAreApart] in
        if numbersAreApart { Self.spreadNumbers() }
        let inherited = try await Self.inheritedFromConnections()
        // An exit test reports the comment alone.
        #expect(inherited.isEmpty, "\(inherited)")
      }
    }

    /// A descriptor that is marked only after it was opened is there for a moment.
    @Test func programsGetNoneWhileConnectionsAreOpened() async {
      await #expect(processExitsWith: .success) {
        let before = try await Self.inherited()
        let server = try HostileServer(.response(200, ["Connection": "close"], body: "ok"))
        defer { server.stop() }
        let http = CurlTransport(proxy: .none)
        _ = try await http.send(HTTPRequest(.get, server.url()))
        let isOver = Atomic(false)
        let spawner = Task.detached {
          var seen: Set<String> = []
          while !isOver.load(ordering: .relaxed) {
            seen.formUnion(try await Self.inherited(except: before))
          }
          return seen
        }
        for _ in 1...200 {
          try await withThrowingTaskGroup { group in
            for _ in 1...8 { group.addTask { _ = try await http.send(HTTPRequest(.get, server.url())) } }
            try await group.waitForAll()
          }
        }
        isOver.store(true, ordering: .relaxed)
        let inherited = try await spawner.value
        #expect(inherited.isEmpty, "\(inherited)")
      }
    }

    /// The descriptors that a program gets while a name is looked up.
    private static func inheritedFromALookup() async throws -> Set<String> {
      let before = try await inherited()
      libcurl_hold_lookups(true)
      let url = try #require(URL(string: "http://held.invalid/"))
      let request = Task { try await CurlTransport(proxy: .none).send(HTTPRequest(.get, url)) }
      while libcurl_held_lookups() == 0 { await Task.yield() }
      // The pair is marked when the transport first waits, which the start of the lookup may precede.
      var found = try await inherited(except: before)
      for _ in 1...100 where !found.isEmpty { found = try await inherited(except: before) }
      libcurl_hold_lookups(false)
      _ = await request.result
      return found
    }

    @Test func programsGetNoEndOfTheLookupOfAName() async {
      await #expect(processExitsWith: .success) {
        let inherited = try await Self.inheritedFromALookup()
        #expect(inherited.isEmpty, "\(inherited)")
      }
    }

    /// Reading from a socket takes the error away that waits there, even if the bytes stay.
    @Test func errorsOfOtherSocketsAreLeftToTheirOwners() async {
      await #expect(processExitsWith: .success) {
        let server = try HostileServer(.reset)
        defer { server.stop() }
        let client = try await RawClient.connect(to: server.port)
        client.socket.letProgramsInherit()
        await client.send("GET / HTTP/1.1\r\n\r\n")
        await server.wait { $0.open == 0 }
        // All descriptors are searched, since the other end is no neighbour.
        Self.spreadNumbers()
        let inherited = try await Self.inheritedFromALookup()
        #expect(inherited.isEmpty, "\(inherited)")
        #expect(client.socket.takeError() == ECONNRESET)
      }
    }
  }
#endif
