// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Dispatch
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Synchronization
import TestSupport
import Testing
import TokenStore
import TokenStoreSealed

/// The thread of the library's work for callers on the main actor.
@Suite(.hangLimit) struct MainActorTests {
  /// A step of the work that takes processor time.
  private enum Step { case decode, seal, open, sign }

  /// The steps, and whether they ran on the main queue, which does not stay on the main thread on Linux.
  private final class Threads: Sendable {
    private let notes = Mutex<[Step: Set<Bool>]>([:])
    private let key = DispatchSpecificKey<Bool>()

    init() { DispatchQueue.main.setSpecific(key: key, value: true) }

    func note(_ step: Step) {
      let isMain = DispatchQueue.getSpecific(key: key) == true
      notes.withLock { _ = $0[step, default: []].insert(isMain) }
    }

    /// Returns the notes since the last call.
    func take() -> [Step: Set<Bool>] {
      notes.withLock { notes in
        defer { notes = [:] }
        return notes
      }
    }
  }

  /// A storage whose caller seals and opens the record on the noted thread.
  private struct NotingStorage: TokenStorage {
    let base: any TokenStorage
    let threads: Threads

    func token(for account: String) async throws -> StoredToken? {
      defer { threads.note(.open) }
      return try await base.token(for: account)
    }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, threads: threads)) }
    }

    func accounts() async throws -> [String] { try await base.accounts() }

    private struct Slot: TokenSlot {
      let base: any TokenSlot
      let threads: Threads

      func read() async throws -> StoredToken? {
        defer { threads.note(.open) }
        return try await base.read()
      }

      func write(_ token: StoredToken?) async throws {
        threads.note(.seal)
        try await base.write(token)
      }
    }
  }

  private struct NotingKey: JWSSigningKey {
    let base: SigningKey
    let threads: Threads

    var algorithm: JWS.Algorithm { base.algorithm }

    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      threads.note(.sign)
      return try base.signature(for: message)
    }
  }

  @MainActor private static func write(_ token: StoredToken, to slot: any TokenSlot) async throws {
    try await slot.write(token)
  }

  private let clock = ManualClock(skipsWaits: true)
  private let threads = Threads()

  @MainActor @Test func workRunsOffTheMainThread() async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    let sandbox = Sandbox(clock: clock)
    let storage = SealedTokenStorage(
      wrapping: NotingStorage(base: FileTokenStorage(directory: home), threads: threads),
      keys: try SealingKeyRing([SealingKey(identifier: "k", bytes: Array(0..<32))]), store: "store")
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.calendarReadOnly], storage: storage,
      userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport(), clock: clock))
    try await google.authorize()
    clock.advance(by: .seconds(3600))
    var count = 0
    for try await _ in google.calendar.events.all(in: "primary") { count += 1 }
    #expect(count > 0 && sandbox.refreshRequestCount == 1)
    #expect(threads.take() == [.seal: [false], .open: [false]])
    let page = EventsResource.list(in: "primary").map { [threads] page in
      threads.note(.decode)
      return page
    }
    #expect(try await !google.calendar.send(page).items.isEmpty)
    #expect(threads.take() == [.decode: [false]])

    // A caller of the storage, whose slot reaches the main actor.
    let token = try #require(try await google.oauthAccount.storedToken)
    try await storage.withExclusiveAccess(to: "other") { try await Self.write(token, to: $0) }
    #expect(threads.take() == [.seal: [false], .open: [false]])

    let key = NotingKey(base: try SigningKey.generate(.es256), threads: threads)
    let client = try OAuthClient(
      provider: sandbox.provider(),
      registration: ClientRegistration(clientID: "c", authentication: PrivateKeyJWT(key, keyID: nil)),
      transport: StubTransport { _ in
        HTTPResponse(status: 200, body: Array(#"{"access_token":"a","token_type":"bearer"}"#.utf8))
      }, clock: clock)
    _ = try await client.requestAccessToken(["grant_type": "client_credentials"])
    #expect(threads.take() == [.sign: [false]])

    // The test itself is on the main queue.
    threads.note(.sign)
    #expect(threads.take() == [.sign: [true]])
  }
}
