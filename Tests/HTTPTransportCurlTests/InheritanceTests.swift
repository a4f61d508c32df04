// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import AlmanacTesting
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import LoopbackHTTP
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The descriptors that a program gets which other code of the process starts, while connections are open.
  @Suite(.timeLimit(.minutes(2))) struct InheritanceTests {
    /// The descriptors of a program as `ls` shows them: sockets, pipes and sets of the process's own.
    private static func inherited() throws -> Set<String> {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      var actions = unsafe posix_spawn_file_actions_t()
      // Every pointer is used within its call.
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      unsafe posix_spawn_file_actions_addopen(&actions, 1, file.path, O_WRONLY | O_CREAT, 0o600)
      var arguments: [UnsafeMutablePointer<CChar>?] =
        unsafe ["ls", "-l", "/proc/self/fd"].map { (text: String) in unsafe strdup(text) }
      unsafe arguments.append(nil)
      defer { unsafe arguments.forEach { unsafe free($0) } }
      var process: pid_t = 0
      try #require(unsafe posix_spawnp(&process, "ls", &actions, nil, arguments, environ) == 0)
      var status: Int32 = 0
      _ = unsafe waitpid(process, &status, 0)
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      return Set(
        lines.compactMap { $0.split(separator: " ").last.map(String.init) }
          .filter { $0.hasPrefix("socket:") || $0.hasPrefix("pipe:") || $0.hasPrefix("anon_inode:") })
    }

    @Test func programsGetNoDescriptorOfATransport() async {
      await #expect(processExitsWith: .success) {
        let before = try Self.inherited()
        let server = try HostileServer(.response(200, body: "ok"))
        defer { server.stop() }
        let loopback = try await LoopbackServer.start { _ in HTTPResponse(status: 204) }
        let http = CurlTransport(proxy: .none)
        _ = try await http.send(HTTPRequest(.get, server.url()))
        _ = try await http.send(HTTPRequest(.get, loopback.url))
        let stream = try await http.stream(HTTPRequest(.get, server.url()), body: nil)
        #expect(server.counts.open > 0)
        #expect(try Self.inherited().subtracting(before) == [])
        for try await _ in stream.body {}
        await loopback.stop()
      }
    }
  }
#endif
