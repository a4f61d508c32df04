// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// The common behaviour of all commands: help, options, errors and output.
@Suite(.takesTurns) struct CommandTests {
  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  @Test func versionIsALine() async throws {
    let result = try await almanac.run("--version")
    #expect(result.status == 0)
    #expect(result.said.wholeMatch(of: /almanac \d+\.\d+\.\d+(-[a-z]+)?\n/) != nil)
  }

  #if os(Linux)
    /// Otherwise, a file or a connection would have the number 2, and receive the notes.
    @Test func closedStandardStreamsAreReplaced() async throws {
      let streams = try await almanac.shell(
        """
        coproc { exec "$ALMANAC" sandbox --json <&- 2>&-; }
        read -r line <&"${COPROC[0]}"
        readlink /proc/"$COPROC_PID"/fd/0 /proc/"$COPROC_PID"/fd/2
        kill "$COPROC_PID"
        """)
      #expect(streams.said == "/dev/null\n/dev/null\n")
      // As without a replacement, output that cannot be written is a failure.
      #expect(try await almanac.shell("almanac --version >&-").status != 0)
    }

    @Test func missingLibcurlIsNamedByTheFirstRequest() async throws {
      try "not a library".write(
        to: almanac.home.appending(path: "libcurl.so.4"), atomically: true, encoding: .utf8)
      let libraries = ["LD_LIBRARY_PATH": almanac.home.path()]
      #expect(try await almanac.run(["--version"], libraries).status == 0)
      let result = try await almanac.run(["sign-in", "--client-id", "a", "--issuer", "http://127.0.0.1:1"], libraries)
      #expect(result.status != 0)
      #expect(result.said.contains("Install the package libcurl4"), "\(result.said)")
    }
  #endif

  @Test func signInIsKeptUsedAndRevoked() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let signedIn = try await almanac.signIn(to: server, sandbox, apiURL: server.url)
    #expect(signedIn.status == 0, "\(signedIn.said)")

    let profile = try await almanac.run("profile")
    #expect(profile.said.contains(sandbox.configuration.user.email))
    let calendars = try await almanac.run("calendars", "--json")
    let entries = try #require(try JSONSerialization.jsonObject(with: Data(calendars.said.utf8)) as? [[String: Any]])
    #expect(entries.count >= 12)
    #expect(try await almanac.run("call", "GET", "calendar/v3/nonsense").status == 7)
    #expect(try await almanac.run("call", "GET", "https://evil.example/").status == 2)
    let revoked = try await almanac.run("revoke")
    #expect(revoked.status == 0)
    let after = try await almanac.run("profile", "--json")
    #expect(after.status == 3)
    #expect(after.said.contains(#""exitStatus" : 3"#))
    await server.stop()
  }

  @Test(arguments: [
    ["status"], ["revoke"], ["revoke", "--local"], ["profile", "--client-id", "a"], ["calendars", "--client-id", "a"],
    ["agenda", "--client-id", "a"], ["call", "GET", "a", "--client-id", "a"],
    ["sign-in", "--if-needed", "--client-id", "a", "--issuer", "http://127.0.0.1:1"],
  ])
  func commandWithoutTokensLeavesNoFolder(_ arguments: [String]) async throws {
    _ = try await almanac.run(arguments)
    #expect(try FileManager.default.contentsOfDirectory(atPath: almanac.home.path()) == [])
  }

  @Test(arguments: [
    ["sign-in", "--client-id", "a", "--issuer", "http://127.0.0.1%1B%5B31m:1"],
    ["sign-in", "--client-id", "a", "--issuer", "https://a%C2%9B31m.invalid/"],
    ["sign-in", "--client-id", "a", "--issuer", "https://a%E2%80%AE.invalid/", "--verbose"],
    ["profile", "--\u{1B}]0;title\u{7}"], ["status", "--account", "a\u{9B}31m"],
  ])
  func argumentBringsNoControlCharactersToTheTerminal(_ arguments: [String]) async throws {
    let said = try await almanac.run(arguments).said
    let steering = said.unicodeScalars.filter { scalar in
      scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
    }
    #expect(!said.isEmpty && steering.isEmpty)
  }

  #if os(Linux)
    /// The sandbox would otherwise serve until it is interrupted.
    @Test(arguments: ["demo --json", "--help", "status", "profile --help", "sandbox"])
    func failedOutputIsAFailure(_ arguments: String) async throws {
      let result = try await almanac.shell("almanac \(arguments) > /dev/full")
      #expect(result.status == 1)
      #expect(result.said.contains("output could not be written"))
    }
  #endif
}
