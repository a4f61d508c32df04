// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import HTTPTransportCurl
import LoopbackHTTP
import OAuthCore
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Eight real processes, one file storage, one rotating server that kills the family of a refresh token used twice.
@Suite(.serialized, .takesTurns) struct SharedRefreshTests {
  /// Signs in, lets the token expire, and runs `body` with all that the processes need.
  private func withExpiredToken(
    _ body: (_ storage: FileTokenStorage, _ sandbox: Sandbox, _ issuer: String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = FileTokenStorage(directory: folder)
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let account = OAuthAccount(
      client: try OAuthClient(
        server: sandbox.provider(at: server.url).server, registration: ClientRegistration(clientID: "almanac"),
        transport: CurlTransport()),
      storage: storage, account: "me", scopes: ["openid", "profile"], userAgent: sandbox.approvingUser)
    try await account.signIn()
    try await storage.withExclusiveAccess(to: "me") { slot in
      var token = try #require(try await slot.read())
      token.expiresAt = .unixEpoch
      try await slot.write(token)
    }
    try await body(storage, sandbox, server.url.absoluteString)

    // No user is signed out: the stored refresh token is the current one of its family.
    let refreshes = sandbox.refreshRequestCount
    sandbox.invalidateAccessTokens()
    let stored = try #require(try await storage.token(for: "me"))
    _ = try await account.client.refresh(stored)
    #expect(sandbox.refreshRequestCount == refreshes + 1)
    await server.stop()
  }

  private func start(_ count: Int, _ storage: FileTokenStorage, _ issuer: String) throws -> [ChildProcess] {
    try (0..<count).map { _ in
      try ChildProcess("share-refresh", storage.path, "me", issuer, "50", "0")
    }
  }

  private func expect(_ process: ChildProcess, _ line: String) async {
    for await said in process.lines {
      #expect(said == line)
      return
    }
    Issue.record("The process ended without saying \(line).")
  }

  @Test func eightProcessesOfFiftyTasksMakeOneRefresh() async throws {
    try await withExpiredToken { storage, sandbox, issuer in
      // While the test holds the lock, every process finds the token expired and queues up.
      let processes = try await storage.withExclusiveAccess(to: "me") { _ in
        let processes = try start(8, storage, issuer)
        for process in processes { await expect(process, "ready") }
        return processes
      }
      for process in processes {
        await expect(process, "cancelled 0")
        await expect(process, "served 50")
        #expect(await process.exitStatus() == 0)
      }
      #expect(sandbox.refreshRequestCount == 1)
    }
  }

  @Test func killedHolderOfTheLockStopsNobody() async throws {
    try await withExpiredToken { storage, sandbox, issuer in
      let holder = try ChildProcess("hold-lock", storage.path, "me")
      await expect(holder, "held")
      let processes = try start(8, storage, issuer)
      for process in processes {
        await expect(process, "ready")
        await expect(process, "cancelled 0")
      }
      await holder.kill()
      for process in processes { await expect(process, "served 50") }
      #expect(sandbox.refreshRequestCount == 1)
    }
  }
}
