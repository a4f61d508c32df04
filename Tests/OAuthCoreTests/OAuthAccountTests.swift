// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

@Suite(.hangLimit) struct OAuthAccountTests {
  private let clock = ManualClock()

  /// Counts how often the page was shown.
  private final class Browser: Sendable {
    private let shown = Mutex(0)
    private let query: String
    private let gate: AsyncGate?

    /// The user agrees at once, or when the test opens the gate.
    init(_ query: String = "code=c&state=STATE", gate: AsyncGate? = nil) {
      self.query = query
      self.gate = gate
    }

    var userAgent: ScriptedUserAgent {
      ScriptedUserAgent { [self] pending in
        shown.withLock { $0 += 1 }
        try await gate?.pass()
        return try Fixtures.callback(pending, query)
      }
    }

    var count: Int { shown.withLock { $0 } }
  }

  /// - Parameter signIn: Called before the response to a code.
  private func server(_ signIn: @escaping @Sendable () -> Void = {}) -> StubTransport {
    StubTransport { request in
      switch request.form["grant_type"] {
      case "authorization_code":
        signIn()
        return Fixtures.json(#"{"access_token":"signed-in","refresh_token":"r","expires_in":3600}"#)
      case "refresh_token":
        return request.form["refresh_token"] == "revoked"
          ? Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)
          : Fixtures.json(#"{"access_token":"refreshed","expires_in":3600}"#)
      default: return HTTPResponse(status: 200)
      }
    }
  }

  private func account(
    _ transport: some Transport, _ storage: some TokenStorage, _ browser: Browser,
    verifier: (any TokenVerifier)? = nil
  ) throws -> OAuthAccount {
    OAuthAccount(
      client: try Fixtures.client(transport, clock: clock), storage: storage, account: "me", scopes: ["read"],
      userAgent: browser.userAgent, verifier: verifier)
  }

  // MARK: One owner of the record

  @Test func signInReadsOnceAndWritesOnce() async throws {
    let storage = CountingStorage(InMemoryTokenStorage())
    let account = try account(server(), storage, Browser())
    for _ in 0..<3 { _ = try await account.authorize() }
    #expect(storage.uses == [.read, .check, .lock, .write])
  }

  @Test func damagedRecordCanBeSignedOut() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = FileTokenStorage(directory: folder)
    let account = try account(server(), storage, Browser())
    try await account.signIn()
    try Data("damaged".utf8).write(to: folder.appending(path: "me.json"))
    try await account.signOut()
    #expect(try await storage.accounts().isEmpty)
    #expect(try await storage.token(for: "me") == nil, "the damaged record is gone")
  }

  @Test func clientThatCannotAuthenticateIsFoundBeforeTheBrowserOpens() async throws {
    let browser = Browser()
    var provider = Fixtures.server()
    provider.tokenEndpointAuthMethodsSupported = ["private_key_jwt"]
    let account = OAuthAccount(
      client: try Fixtures.client(server: provider, authentication: .clientSecret(Secret("s")), clock: clock),
      storage: InMemoryTokenStorage(), account: "me", scopes: [], userAgent: browser.userAgent)
    await expectError(.invalidConfiguration) { try await account.authorize() }
    #expect(browser.count == 0)
  }

  // MARK: Token, refresh, browser

  @Test(arguments: [nil, "revoked"])
  func browserIsShownWhenNothingElseHelps(_ refreshToken: String?) async throws {
    let browser = Browser()
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(clock, refreshToken: refreshToken))
    let account = try account(server(), storage, browser)
    #expect(try await account.authorize().value == Secret("signed-in"))
    #expect(browser.count == 1)
    #expect(try await storage.token(for: "me")?.refreshToken == Secret("r"))
  }

  @Test func networkFaultNeverOpensTheBrowser() async throws {
    let browser = Browser()
    for transport in [StubTransport(), StubTransport { _ in HTTPResponse(status: 503) }] {
      let account = try account(
        transport, try await InMemoryTokenStorage.holding(Fixtures.expired(clock)), browser)
      await #expect(throws: (any Error).self) { try await account.authorize() }
    }
    #expect(browser.count == 0)
  }

  @Test func callersShareOneBrowser() async throws {
    let gate = AsyncGate()
    let browser = Browser(gate: gate)
    let account = try account(server(), InMemoryTokenStorage(), browser)
    let callers = (0..<20).map { _ in Task { try await account.signIn() } }
    await gate.waitForArrival()
    callers[0].cancel()
    await #expect(throws: CancellationError.self) { try await callers[0].value }
    await gate.open()
    for caller in callers.dropFirst() { #expect(try await caller.value.value == Secret("signed-in")) }
    #expect(browser.count == 1)
  }

  @Test(arguments: [200, 503])
  func tokensThatTheVerifierRefusesAreRevoked(_ status: Int) async throws {
    struct Refusal: Error {}
    struct RefusingVerifier: TokenVerifier {
      func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws { throw Refusal() }
    }
    let transport = StubTransport { request in
      request.url.path() == "/token"
        ? Fixtures.json(#"{"access_token":"signed-in","refresh_token":"r"}"#) : HTTPResponse(status: status)
    }
    let storage = InMemoryTokenStorage()
    let account = try account(transport, storage, Browser(), verifier: RefusingVerifier())
    await #expect(throws: Refusal.self) { try await account.signIn() }
    #expect(try await storage.accounts().isEmpty)
    let revoking = transport.requests.filter { $0.url.path() == "/revoke" }
    #expect(revoking.map { $0.form["token"] } == (status == 200 ? ["r", "signed-in"] : ["r"]))
    #expect(revoking.allSatisfy { $0.timeout == .seconds(10) })
  }

  /// Tokens that the storage refuses are revoked, unless that could end an authorization that it still holds.
  ///
  /// A storage that is out of reach may hold one.
  @Test(arguments: [(false, true, ["r", "signed-in"]), (true, true, []), (true, false, [])])
  func tokensThatTheStorageRefusesDoNotStayValid(_ holdsOthers: Bool, _ isReadable: Bool, _ revoked: [String])
    async throws
  {
    let base = holdsOthers ? try await InMemoryTokenStorage.holding(Fixtures.expired(clock)) : InMemoryTokenStorage()
    let storage = FaultyTokenStorage(base)
    let transport = server {
      let fault = TokenStorageError(.unavailable, "The disk is full.")
      if !isReadable { storage.failReads(with: fault) }
      storage.failWrites(with: fault)
    }
    let account = try account(transport, storage, Browser())
    let error = await #expect(throws: TokenStorageError.self) { try await account.signIn() }
    #expect(error?.code == .unavailable)
    #expect(transport.requests.contains { $0.form["grant_type"] == "authorization_code" })
    let revoking = transport.requests.filter { $0.url.path() == "/revoke" }
    #expect(revoking.map { $0.form["token"] } == revoked && revoking.allSatisfy { $0.timeout == .seconds(10) })
    #expect(try await base.token(for: "me") == (holdsOthers ? Fixtures.expired(clock) : nil))
  }

  @Test func everyListenerHearsWhatHappens() async throws {
    let account = try account(server(), InMemoryTokenStorage(), Browser())
    let listeners = [account.signInEvents, account.signInEvents]
    try await account.authorize()
    clock.advance(by: .seconds(3600))
    try await account.authorize()
    try await account.revoke()
    for listener in listeners {
      var heard: [SignInEvent] = []
      for await event in listener {
        heard.append(event)
        if event == .revoked { break }
      }
      #expect(heard == [.granted, .refreshed, .revoked])
    }
  }

  @Test func listenerThatIsLateHearsTheLast64Events() async throws {
    var account: OAuthAccount? = try account(server(), InMemoryTokenStorage(), Browser())
    let listener = try #require(account).signInEvents
    try await account?.authorize()
    for _ in 0..<64 { try await account?.signOut() }
    // The stream ends with the account.
    account = nil
    var heard: [SignInEvent] = []
    for await event in listener { heard.append(event) }
    #expect(heard == Array(repeating: .signedOut, count: 64))
  }

  @Test func callerThatFoundNoTokenUsesTheOneOfASignInThatEndedMeanwhile() async throws {
    let browser = Browser()
    let gate = AsyncGate()
    let storage = HookedStorage.reading(InMemoryTokenStorage(), behind: gate)
    let account = try account(server(), storage, browser)
    let late = Task { try await account.authorize() }
    await gate.waitForArrival()
    try await account.signIn()
    await gate.open()
    #expect(try await late.value.value == Secret("signed-in"))
    #expect(browser.count == 1)
  }

  @Test func tokenInMemoryGivesWayToASignInARevocationAndASignOut() async throws {
    let token = Fixtures.expired(clock).expiring(at: clock.now + .seconds(3600))
    let (transport, storage) = (server(), try await InMemoryTokenStorage.holding(token))
    let account = try account(transport, storage, Browser())
    #expect(try await account.authorize().value == Secret("access-1"))
    try await account.signIn()
    #expect(try await account.tokens.accessToken().value == Secret("signed-in"))
    try await account.revoke()
    await expectError(.signInRequired) { try await account.tokens.accessToken() }
    try await account.signIn()
    let sent = transport.requests.count
    try await account.signOut()
    #expect(try await storage.token(for: "me") == nil && transport.requests.count == sent)
    await expectError(.signInRequired) { try await account.tokens.accessToken() }
  }

  @Test func tokenThatWasReadBeforeARevocationDoesNotComeBack() async throws {
    let token = Fixtures.expired(clock).expiring(at: clock.now + .seconds(3600))
    let gate = AsyncGate()
    let storage = HookedStorage.reading(try await InMemoryTokenStorage.holding(token), behind: gate)
    let account = try account(server(), storage, Browser())
    let reader = Task { try await account.tokens.accessToken() }
    await gate.waitForArrival()
    try await account.revoke()
    await gate.open()
    _ = await reader.result
    await expectError(.signInRequired) { try await account.tokens.accessToken() }
  }

  @Test func revocationSendsTheLivingTokenThatCouldNotBeStored() async throws {
    let transport = StubTransport { request in
      request.url.path() == "/token"
        ? Fixtures.json(#"{"access_token":"n","refresh_token":"living","expires_in":3600}"#) : HTTPResponse(status: 200)
    }
    let storage = HookedStorage.failingOnce(try await InMemoryTokenStorage.holding(Fixtures.expired(clock)))
    let account = try account(transport, storage, Browser())
    await #expect(throws: TokenStorageError.self) { try await account.tokens.accessToken() }
    try await account.revoke()
    #expect(transport.requests.suffix(2).map { $0.form["token"] } == ["living", "n"])
    #expect(try await storage.token(for: "me") == nil)
  }

  @Test func completingASignInLeavesAtOnceAndStoresAllTheSame() async throws {
    let gate = AsyncGate()
    let storage = InMemoryTokenStorage()
    let account = try account(
      StubTransport { _ in
        try await gate.pass()
        try Task.checkCancellation()
        return Fixtures.json(#"{"access_token":"signed-in","expires_in":3600}"#)
      }, storage, Browser())
    let pending = try await account.beginSignIn(redirectURI: Fixtures.redirect)
    let callback = try Fixtures.callback(pending, "code=c&state=STATE")
    var events = account.signInEvents.makeAsyncIterator()
    let completing = Task { try await account.completeSignIn(pending, callback: callback) }
    await gate.waitForArrival()
    completing.cancel()
    await #expect(throws: CancellationError.self) { try await completing.value }
    await gate.open()
    #expect(await events.next() == .granted)
    #expect(try await storage.token(for: "me")?.accessToken == Secret("signed-in"))
  }
}
