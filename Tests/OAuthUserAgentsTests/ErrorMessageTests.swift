// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import LoopbackHTTP
import OAuthCore
import OAuthUserAgents
import Synchronization
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Every error of the module: its code and its remedy.
@Suite(.takesTurns) struct ErrorMessageTests {
  private typealias Row = Failure<OAuthError.Code>

  @Test("Every error names its remedy", arguments: redirects + signIns)
  func errorNamesItsRemedy(_ failure: Failure<OAuthError.Code>) async throws {
    let error = try #require(await #expect(throws: OAuthError.self) { try await failure.body() })
    failure.expect(error.code, error.message)
  }

  private static func claim(_ url: String) throws { _ = try ClaimedRedirect(#require(URL(string: url))) }

  private static let unclaimed = "Its scheme must be the app's own or https, and it must have no fragment"
  private static let unassociated = "a host that is associated with the app, and no other port than 443"

  private static let redirects: [Row] = [
    Row("http", .invalidConfiguration, unclaimed) { try claim("http://app.example/") },
    Row("no scheme", .invalidConfiguration, unclaimed) { try claim("/callback") },
    Row("a fragment", .invalidConfiguration, unclaimed) { try claim("org.example.app:/callback#a") },
    Row("no host", .invalidConfiguration, unassociated) { try claim("https:///callback") },
    Row("a port", .invalidConfiguration, unassociated) { try claim("https://app.example:8443/") },
  ]

  private static func signIn(with agent: LoopbackUserAgent) async throws {
    let client = try Fixtures.client(clock: ManualClock())
    _ = try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
  }

  private static let signIns: [Row] = [
    Row("a port that cannot be", .userAgentUnavailable, "The port 65536 is not in 0 ") {
      try await signIn(with: LoopbackUserAgent(port: 65_536) { _ in })
    }
  ]

  #if os(Linux)
    /// In a process of its own, whose environment and limits the test changes.
    @Test func fileThatCannotBeWrittenIsSaidAndLeavesNothingBehind() async {
      await #expect(processExitsWith: .success) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // A write beyond the limit then fails, and ends no process.
        signal(SIGXFSZ, SIG_IGN)
        for (temporary, limited, number) in [
          ("\(folder.path())/missing", nil, ENOENT), (folder.path(), RLIMIT_NOFILE, EMFILE),
          (folder.path(), RLIMIT_FSIZE, EFBIG),
        ] as [(String, __rlimit_resource?, Int32)] {
          let error = await failureOfAPage(in: temporary, limited)
          #expect(error?.code == .userAgentUnavailable)
          #expect(error?.message.contains("(errno \(number)). Check the folder for temporary files.") == true)
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
        }
      }
    }
  #endif
}

#if os(Linux)
  /// Runs a sign-in by a file in a folder for temporary files, with one limit of the process set to zero once the port is open.
  private func failureOfAPage(in folder: String, _ limited: __rlimit_resource?) async -> OAuthError? {
    // The strings and limits live through the calls.
    unsafe setenv("TMPDIR", folder, 1)
    let before = Mutex(rlimit())
    defer {
      if let limited { before.withLock { _ = unsafe setrlimit(__rlimit_resource_t(limited.rawValue), &$0) } }
    }
    let agent = LoopbackUserAgent(clock: ManualClock(), handoff: .privateFile) { _ in
      Issue.record("There is no page to show.")
    }
    let client = try? Fixtures.client(clock: ManualClock())
    return await #expect(throws: OAuthError.self) {
      _ = try await agent.authorize {
        let pending = try await #require(client).beginAuthorization(scopes: [], redirectURI: $0)
        if let limited {
          before.withLock { before in
            unsafe getrlimit(__rlimit_resource_t(limited.rawValue), &before)
            var none = rlimit(rlim_cur: 0, rlim_max: before.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(limited.rawValue), &none)
          }
        }
        return pending
      }
    }
  }
#endif
