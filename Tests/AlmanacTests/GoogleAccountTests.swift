// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import OpenIDConnect
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// The whole library against the sandbox, in process: no network, no disk, no waiting.
@Suite(.hangLimit) struct GoogleAccountTests {
  private let clock = ManualClock(skipsWaits: true)
  private let sandbox: Sandbox
  private let storage = InMemoryTokenStorage()

  init() { sandbox = Sandbox(clock: clock) }

  @Test func sandboxReturnsAnAccount() async throws {
    let clock = ManualClock()
    let sandbox = Sandbox(clock: clock) { $0.accessTokenLifetime = .seconds(60) }
    let google = try GoogleAccount(
      oauthAccount: sandbox.account(scopes: [.openID, .calendarReadOnly]), apiURL: Sandbox.inProcessURL)
    let token = try await google.authorize()
    #expect(token.scopes.contains(.calendarReadOnly) && token.expiresAt == clock.now + .seconds(60))
    clock.advance(by: .seconds(60))
    _ = try await google.calendar.colors.get()
    #expect(sandbox.refreshRequestCount == 1)
  }

  @Test func sandboxAccountUsesTheTestsTransportAndUserAgent() async throws {
    let base = sandbox.transport()
    let transport = StubTransport { try await base.send($0) }
    let denied = try sandbox.account(scopes: [.calendar], transport: transport, userAgent: sandbox.denyingUser)
    let error = try await #require(throws: OAuthError.self) { try await denied.authorize() }
    #expect(error.code == .accessDenied && transport.requests.isEmpty)
    let allowed = try sandbox.account(scopes: [.calendar], transport: transport)
    try await allowed.authorize()
    #expect(transport.requests.contains { $0.url.path() == "/token" })
    // The origin of the string is allowed, and no other.
    let http = allowed.transport(for: ["\(Sandbox.inProcessURL)", "no URL"])
    #expect(try await http.send(HTTPRequest(.get, Sandbox.inProcessURL.appending(path: "userinfo"))).status == 403)
    await #expect(throws: OAuthError.self) {
      try await http.send(HTTPRequest(.get, try #require(URL(string: "https://other.example"))))
    }
  }

  /// An account at the sandbox, with members of the JSON responses at a path replaced.
  private func account(
    at path: String = "", replacing change: @escaping @Sendable (inout [String: any Sendable]) -> Void = { _ in }
  ) throws -> GoogleAccount {
    let base = sandbox.transport()
    let transport = StubTransport { request in
      var response = try await base.send(request)
      guard request.url.path() == path else { return response }
      var members = try #require(
        JSONSerialization.jsonObject(with: Data(response.body)) as? [String: any Sendable])
      change(&members)
      response.body = Array(try JSONSerialization.data(withJSONObject: members))
      return response
    }
    return try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.openID, .email, .profile, .calendarReadOnly], storage: storage,
      userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL), transport: transport,
        clock: clock))
  }

  @Test func channelTellsOfChangesUntilItIsStopped() async throws {
    let receiver = StubTransport { _ in HTTPResponse(status: 204) }
    let sandbox = Sandbox(clock: clock) { $0.notificationTransport = receiver }
    let google = try GoogleAccount(
      oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
    try await google.authorize()
    let events = google.calendar.events
    let requested = WatchChannel(address: "https://program.example/changes")
    let channel = try await events.watch(requested, in: "primary")
    try await events.insert(MethodCall.event("Lunch"), in: "primary")
    await sandbox.notificationsDelivered()
    try await google.calendar.channels.stop(channel)
    try await events.insert(MethodCall.event("Dinner"), in: "primary")
    await sandbox.notificationsDelivered()
    let notifications = try receiver.requests.map { try ChannelNotification($0.fields) }
    #expect(notifications.map(\.resourceState) == [.sync, .exists])
    #expect(notifications.map(\.messageNumber) == [1, 2])
    #expect(notifications.allSatisfy { $0.belongs(to: channel) && $0.expiration == channel.expirationTime })
    #expect(notifications.allSatisfy { $0.hasToken(requested.token ?? "") && !$0.hasToken(WatchChannel.makeToken()) })
  }

  @Test func idTokenWhoseSignatureDoesNotFitEndsTheSignIn() async throws {
    let google = try account(at: "/token") { members in
      let parts = (members["id_token"] as? String ?? "").split(separator: ".")
      members["id_token"] = "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: parts[2].count))"
    }
    let error = await #expect(throws: OAuthError.self) { try await google.authorize() }
    #expect(error?.code == .invalidResponse)
    #expect(try await storage.accounts().isEmpty)
  }

  @Test func profileOfAnotherSubjectThanTheIDTokensIsRefused() async throws {
    let google = try account(at: "/userinfo") { $0["sub"] = "another" }
    try await google.authorize()
    let error = await #expect(throws: OAuthError.self) { try await google.profile() }
    #expect(error?.code == .invalidResponse)
  }

  @Test func transportForAnotherOriginIsForThatOriginAlone() async throws {
    let google = try account()
    try await google.authorize()
    let foreign = try #require(URL(string: "https://api.example/"))
    let transport = google.transport(for: [try #require(Origin(foreign))])
    let kept = await #expect(throws: OAuthError.self) { try await google.transport().send(HTTPRequest(.get, foreign)) }
    #expect(kept?.code == .originNotAllowed)
    let error = await #expect(throws: TransportError.self) { try await transport.send(HTTPRequest(.get, foreign)) }
    #expect(error?.code == .unreachable, "the token may go there, but the sandbox is one origin")
    let colors = Sandbox.inProcessURL.appending(path: "calendar/v3/colors")
    let refused = await #expect(throws: OAuthError.self) { try await transport.send(HTTPRequest(.get, colors)) }
    #expect(refused?.code == .originNotAllowed)
    #expect(try await google.transport().send(HTTPRequest(.get, colors)).status == 200)
  }

  /// An account at Google, signed in, whose responses are a token and then those given.
  private func googleAccount(
    _ responses: String...
  ) async throws -> (account: GoogleAccount, transport: StubTransport) {
    let bodies = [#"{"access_token":"a","token_type":"bearer"}"#] + responses
    let next = Mutex(bodies[...])
    let transport = StubTransport { _ in
      HTTPResponse(status: 200, body: Array(try #require(next.withLock { $0.popFirst() }).utf8))
    }
    let google = try GoogleAccount(
      clientID: "app", scopes: [.calendarReadOnly], storage: storage, userAgent: nil,
      options: .init(transport: transport, clock: clock))
    let pending = try await google.oauthAccount.beginSignIn(redirectURI: ScriptedUserAgent.loopbackRedirect)
    let callback = "?code=c&iss=https://accounts.google.com&state=\(pending.state.reveal())"
    try await google.oauthAccount.completeSignIn(
      pending, callback: try #require(URL(string: pending.redirectURI.absoluteString + callback)))
    return (google, transport)
  }

  @Test func profileIsReadWithTheTokenThoughItIsOnAnotherOriginThanTheCalendar() async throws {
    let (google, transport) = try await googleAccount(#"{"sub":"person"}"#)
    #expect(try await google.profile().subject == "person")
    let request = try #require(transport.requests.last)
    #expect(request.url == Provider.google.server.userinfoEndpoint)
    #expect(Origin(request.url) != Origin(GoogleServices.production.apiURL))
    #expect(request.fields["Authorization"] == "Bearer a")
  }
}

/// The location of an account's record.
@Suite(.hangLimit) struct GoogleAccountRecordTests {
  private let clock = ManualClock()

  private func account(
    at sandbox: Sandbox, client: String, _ storage: (any TokenStorage)?, account: String = "default"
  ) throws -> GoogleAccount {
    try GoogleAccount(
      clientID: client, scopes: [.calendarReadOnly], account: account, storage: storage,
      userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport(), clock: clock))
  }

  @Test func recordIsTheSameWhetherTheStorageIsPassedOrDefaulted() throws {
    let sandbox = Sandbox(clock: clock)
    let defaulted = try account(at: sandbox, client: "almanac", nil, account: "me")
    for storage in [FileTokenStorage(), InMemoryTokenStorage()] as [any TokenStorage] {
      let passed = try account(at: sandbox, client: "almanac", storage, account: "me")
      #expect(passed.oauthAccount.account == defaulted.oauthAccount.account)
    }
    #expect(defaulted.oauthAccount.account == "me almanac")
  }
}

@Suite(.takesTurns) struct SecretSourceTests {
  /// A named pipe, which has no writer yet.
  private struct NamedPipe {
    let path = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)").path()

    init() throws {
      // The path is passed as a C string that lives for the call.
      try #require(unsafe mkfifo(path, 0o600) == 0)
    }

    /// Writes and closes, once a reader is there.
    func write(_ text: String) async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let end = FileHandle(forWritingAtPath: path)
          try? end?.write(contentsOf: Data(text.utf8))
          try? end?.close()
          continuation.resume()
        }
      }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func pipeHoldsNoThreadOfTheConcurrencyPool() async throws {
    let pipe = try NamedPipe()
    defer { pipe.remove() }
    // More readers than the pool has threads.
    let readers = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task { try await SecretSource.file(pipe.path).secret() }
    }
    // Readers that held the pool would hold this test too: the pipe then ends, and they fail otherwise than expected.
    let isDone = DispatchSemaphore(value: 0)
    let path = pipe.path
    Thread.detachNewThread {
      if isDone.wait(timeout: .now() + 600) == .timedOut { try? FileHandle(forWritingAtPath: path)?.close() }
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(await Task.detached { 1 }.value == 1)
    isDone.signal()
    for reader in readers { reader.cancel() }
    for reader in readers { await #expect(throws: CancellationError.self) { try await reader.value } }
  }

  @Test func accountIsMadeAtOnceAndReadsItsPipeOnce() async throws {
    let pipe = try NamedPipe()
    defer { pipe.remove() }
    let client = Sandbox.Client(
      id: "desktop", name: "Desktop", redirectURIs: Sandbox.Client.native.redirectURIs,
      authentication: .clientSecretBasic(Secret("s3cret")))
    let clock = ManualClock()
    let sandbox = Sandbox(clock: clock) { $0.clients = [client] }
    let google = try GoogleAccount(
      clientID: "desktop", clientSecret: .file(pipe.path), scopes: [.calendarReadOnly], storage: InMemoryTokenStorage(),
      userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport(), clock: clock))
    let authorizing = Task { try await google.authorize() }
    await pipe.write("s3cret\n")
    _ = try await authorizing.value
    clock.advance(by: .seconds(3600))
    _ = try await google.authorize()
    #expect(sandbox.refreshRequestCount == 1, "with the secret that was read before")
  }

  @Test func secretThatIsMissingIsFoundBeforeTheBrowserOpens() async throws {
    let sandbox = Sandbox()
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, clientSecret: .environment("ALMANAC_NOT_SET"), scopes: [.calendarReadOnly],
      storage: InMemoryTokenStorage(),
      userAgent: ScriptedUserAgent { pending in
        Issue.record("The browser was opened.")
        return pending.redirectURI
      },
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport()))
    let error = await #expect(throws: OAuthError.self) { try await google.authorize() }
    #expect(error?.message.contains("ALMANAC_NOT_SET") == true)
    #expect(sandbox.log.isEmpty)
  }

  /// In a process of its own, whose environment the test changes.
  @Test func variableIsReadWholeAndIsMissingIfItIsEmpty() async {
    await #expect(processExitsWith: .success) {
      // The strings live through the calls.
      unsafe setenv("ALMANAC_SECRET", " s3cret\n", 1)
      let secret = try await SecretSource.environment("ALMANAC_SECRET").secret()
      #expect(secret == Secret(" s3cret\n"))
      unsafe setenv("ALMANAC_SECRET", "", 1)
      await #expect(throws: OAuthError.self) { try await SecretSource.environment("ALMANAC_SECRET").secret() }
    }
  }

  @Test func fileIsReadWithoutItsLineEndAndAValueAsItIs() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for text in ["  s3cret\r\n", "\u{FEFF}s3cret\r\n"] {
      try Data(text.utf8).write(to: file)
      #expect(try await SecretSource.file(file.path()).secret() == Secret("s3cret"))
    }
    #expect(try await SecretSource.value(Secret(" s3cret ")).secret() == Secret(" s3cret "))
    try Data("\u{FEFF}\n\t ".utf8).write(to: file)
    for (source, name) in [
      (SecretSource.environment("ALMANAC_NOT_SET"), "ALMANAC_NOT_SET"), (.file(file.path()), file.path()),
      (.file("/nonexistent/secret"), "/nonexistent/secret"),
    ] {
      let error = await #expect(throws: OAuthError.self) { try await source.secret() }
      #expect(error?.code == .invalidConfiguration && error?.message.contains(name) == true)
    }
  }
}
