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

@Suite struct DeviceAuthorizationTests {
  private let clock = ManualClock(skipsWaits: true)

  /// The example of RFC 8628 § 3.2.
  private static let example = Fixtures.json(
    """
    {"device_code":"GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS","user_code":"WDJB-MJHT",
     "verification_uri":"https://example.com/device",
     "verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT","expires_in":1800,"interval":5}
    """)
  private static let token = Fixtures.json(
    #"{"access_token":"access","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh","scope":"read"}"#)

  private static func error(_ code: String, status: Int = 400) -> HTTPResponse {
    Fixtures.json(#"{"error":"\#(code)"}"#, status: status)
  }

  private func client(_ transport: some Transport, clock: ManualClock? = nil) throws -> OAuthClient {
    try Fixtures.client(
      transport, server: Fixtures.fullServer, authentication: .clientSecretPost(Secret("s3cret")),
      clock: clock ?? self.clock)
  }

  /// A transport whose token endpoint gives these responses, or throws, one after the other; and the times of the requests.
  final class Script: Transport {
    enum Step: Sendable {
      case response(HTTPResponse)
      case fault(TransportError.Code)
    }
    private let steps: Mutex<[Step]>
    private let start: Timestamp
    private let clock: ManualClock
    let noted = Mutex<[(request: HTTPRequest, second: Int)]>([])

    init(_ steps: [Step], clock: ManualClock) {
      self.steps = Mutex(steps)
      self.clock = clock
      start = clock.now
    }

    /// The times of the token requests, in seconds since the start.
    var seconds: [Int] { noted.withLock { $0.dropFirst().map(\.second) } }
    var requests: [HTTPRequest] { noted.withLock { $0.map(\.request) } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      noted.withLock { $0.append((request, Int((clock.now - start).components.seconds))) }
      if request.url.path() == "/device" { return DeviceAuthorizationTests.example }
      let step = steps.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      switch step {
      case .response(let response): return response
      case .fault(let code): throw TransportError(code, "Scripted.")
      }
    }
  }

  private func run(_ steps: [Script.Step]) async throws -> (Script, StoredToken) {
    let script = Script(steps, clock: clock)
    let client = try client(script)
    let device = try await client.beginDeviceAuthorization(scopes: ["read", "write"])
    return (script, try await client.completeDeviceAuthorization(device))
  }

  @Test func requestsAreThoseOfTheSpecification() async throws {
    let (script, token) = try await run([.response(Self.token)])
    let (begin, poll) = (script.requests[0], script.requests[1])
    #expect(begin.method == .post && begin.url.absoluteString == "https://login.example/device")
    #expect(begin.form == ["client_id": "app", "scope": "read write", "client_secret": "s3cret"])
    #expect(poll.url.absoluteString == "https://login.example/token")
    #expect(
      poll.form == [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", "client_id": "app", "client_secret": "s3cret",
      ])
    #expect(token.accessToken == Secret("access") && token.refreshToken == Secret("refresh"))
    #expect(token.scopes == ["read"] && token.issuer == "https://login.example" && token.clientID == "app")
  }

  @Test(
    arguments: [
      (#""verification_url":"https://a.example/","verification_url_complete":"https://a.example/c""#, 5, 1800, true),
      (#""verification_uri":"https://a.example/","interval":"7","expires_in":"60""#, 7, 60, false),
      (#""verification_uri":"https://a.example/","interval":0"#, 5, 1800, false),
      (#""verification_uri":"https://a.example/","interval":null,"expires_in":null"#, 5, 600, false),
      (#""verification_uri":"https://a.example/","verification_uri_complete":"javascript:x""#, 5, 1800, false),
    ])
  func oddResponseIsRead(_ members: String, _ interval: Int, _ lifetime: Int, _ isComplete: Bool) async throws {
    let expiry = members.contains("expires_in") ? "" : #","expires_in":1800"#
    let response = Fixtures.json(#"{"device_code":"d","user_code":"u",\#(members)\#(expiry)}"#)
    let device = try await client(StubTransport(response)).beginDeviceAuthorization(scopes: [])
    #expect(device.verificationURI.absoluteString == "https://a.example/")
    #expect(device.interval == .seconds(interval) && device.lifetime == .seconds(lifetime))
    #expect((device.verificationURIComplete != nil) == isComplete)
  }

  @Test(arguments: [
    "<html>", #"{"device_code":"d","verification_uri":"https://example.com/"}"#,
    #"{"user_code":"u","verification_uri":"https://example.com/"}"#, #"{"device_code":"d","user_code":"u"}"#,
    #"{"device_code":"d","user_code":"u","verification_uri":"http://example.com/"}"#,
    #"{"device_code":"d","user_code":"u\u001b[2J","verification_uri":"https://example.com/"}"#,
    #"{"device_code":"","user_code":"u","verification_uri":"https://example.com/"}"#,
  ])
  func responseThatCannotBeUsedIsATypedError(_ body: String) async throws {
    await expectError(.invalidResponse) {
      try await client(StubTransport(Fixtures.json(body))).beginDeviceAuthorization(scopes: [])
    }
  }

  @Test func refusalOfTheBeginIsReported() async throws {
    let error = await expectError(.requestRejected) {
      try await client(StubTransport(Self.error("invalid_scope"))).beginDeviceAuthorization(scopes: ["read"])
    }
    #expect(error?.serverCode == "invalid_scope")
  }

  /// RFC 8628 § 3.1: oauthlib's servers look for the identifier also where Basic credentials have it.
  @Test func identifierIsSentBesideBasicCredentials() async throws {
    let transport = StubTransport(Self.example)
    let client = try Fixtures.client(
      transport, server: Fixtures.fullServer, authentication: .clientSecretBasic(Secret("s")))
    _ = try await client.beginDeviceAuthorization(scopes: ["a"])
    #expect(transport.requests.map(\.form) == [["client_id": "app", "scope": "a"]])
    #expect(transport.requests[0].fields["Authorization"] == "Basic YXBwOnM=")
  }

  @Test func parametersOfTheCallerAreAddedButReplaceNothing() async throws {
    let transport = StubTransport(Self.example)
    _ = try await client(transport).beginDeviceAuthorization(scopes: ["read"], parameters: ["audience": "api"])
    #expect(transport.requests.first?.form["audience"] == "api")
    for parameters in [["scope": "x"], ["client_id": "x"]] as [AuthorizationParameters] {
      await expectError(.invalidConfiguration) {
        try await client(transport).beginDeviceAuthorization(scopes: ["read"], parameters: parameters)
      }
    }
  }

  @Test func slowDownAddsFiveSecondsForGood() async throws {
    let (pending, slow) = (Self.error("authorization_pending"), Self.error("slow_down"))
    let (script, _) = try await run(
      [pending, slow, pending, slow, pending, Self.token].map { .response($0) })
    #expect(script.seconds == [5, 10, 20, 30, 45, 60])
  }

  @Test(
    arguments: [
      .fault(.timedOut), .fault(.unreachable), .fault(.connectionLost), .fault(.truncated),
      .response(HTTPResponse(status: 500)), .response(HTTPResponse(status: 503)), .response(HTTPResponse(status: 429)),
    ] as [Script.Step])
  func networkFaultDoublesTheWaitUntilTheServerResponds(_ fault: Script.Step) async throws {
    let pending = Script.Step.response(Self.error("authorization_pending"))
    let (script, _) = try await run([fault, fault, fault, fault, fault, pending, .response(Self.token)])
    #expect(script.seconds == [5, 15, 35, 75, 135, 195, 200])
  }

  @Test(
    arguments: [
      ("access_denied", .accessDenied), ("expired_token", .signInTimedOut), ("invalid_grant", .requestRejected),
      // Microsoft's, GitHub's and Twitch's.
      ("authorization_declined", .accessDenied), ("code_expired", .signInTimedOut), ("token_expired", .signInTimedOut),
      ("device_flow_disabled", .requestRejected), ("invalid device code", .requestRejected),
      ("something_new", .requestRejected),
    ] as [(String, OAuthError.Code)])
  func everyOtherErrorEndsTheAuthorization(_ code: String, _ expected: OAuthError.Code) async throws {
    let script = Script([.response(Self.error(code))], clock: clock)
    let client = try client(script)
    let device = try await client.beginDeviceAuthorization(scopes: [])
    let error = await expectError(expected) { try await client.completeDeviceAuthorization(device) }
    #expect(error?.serverCode == code && script.seconds == [5])
  }

  /// A proxy's response is not the server's: it ends the sign-in only if it persists.
  @Test(arguments: [
    HTTPResponse(status: 403, fields: ["Content-Type": "text/html"], body: Array("<html>Blocked</html>".utf8)),
    HTTPResponse(status: 407), HTTPResponse(status: 404), HTTPResponse(status: 302), Fixtures.json("{}", status: 403),
    Fixtures.json(#"{"message":"Forbidden"}"#, status: 403),
  ])
  func responseOfAProxyIsWaitedOut(_ response: HTTPResponse) async throws {
    let pending = Script.Step.response(Self.error("authorization_pending"))
    let (script, token) = try await run(
      [pending] + Array(repeating: .response(response), count: 5) + [
        pending, .response(response), .response(Self.token),
      ])
    #expect(token.accessToken == Secret("access"))
    #expect(script.seconds == [5, 10, 20, 40, 80, 140, 200, 205, 215])
    let last = Script([.response(response)], clock: clock)
    let client = try client(last)
    let device = try await client.beginDeviceAuthorization(scopes: [])
    await expectError(.invalidResponse) { try await client.completeDeviceAuthorization(device) }
    #expect(last.seconds.count == 6)
  }

  @Test(arguments: [-86_400, 86_400]) func settingTheClockDoesNotMoveTheDeadline(_ seconds: Int) async throws {
    let count = Mutex(0)
    let transport = StubTransport { [clock] request in
      if request.url.path() == "/device" { return Self.example }
      clock.set(by: .seconds(seconds))
      count.withLock { $0 += 1 }
      return Self.error("authorization_pending")
    }
    let client = try client(transport)
    let device = try await client.beginDeviceAuthorization(scopes: [])
    await expectError(.signInTimedOut) { try await client.completeDeviceAuthorization(device) }
    #expect(count.withLock { $0 } == 360)
  }

  @Test func scopesHaveTheProvidersName() async throws {
    let script = Script([.response(Self.token)], clock: clock)
    let client = try Fixtures.client(
      script, server: Fixtures.fullServer, authentication: .clientSecret(Secret("s")), clock: clock
    ) { $0.provider.quirks = Provider.twitch.quirks }
    let device = try await client.beginDeviceAuthorization(scopes: ["user:read:email", "chat:read"])
    _ = try await client.completeDeviceAuthorization(device)
    for request in script.requests {
      #expect(request.form["scopes"] == "user:read:email chat:read" && request.form["scope"] == nil)
    }
    #expect(script.requests.count == 2)
  }

  @Test func faultThatNoRepetitionHelpsIsThrown() async throws {
    let error = await #expect(throws: TransportError.self) { try await run([.fault(.tls)]) }
    #expect(error?.code == .tls)
  }

  @Test func networkThatNeverComesBackEndsAtTheDeadline() async throws {
    let script = Script([.fault(.unreachable)], clock: clock)
    let client = try client(script)
    let device = try await client.beginDeviceAuthorization(scopes: [])
    await expectError(.signInTimedOut) { try await client.completeDeviceAuthorization(device) }
    #expect(script.seconds.last.map { $0 <= 1800 } == true && script.seconds.count < 40)
  }

  @Test func cancellationEndsTheWaitAtOnceAndTheFlowGoesOnLater() async throws {
    let clock = ManualClock()
    let script = Script([.response(Self.token)], clock: clock)
    let client = try client(script, clock: clock)
    let device = try await client.beginDeviceAuthorization(scopes: [])
    let waiting = Task { try await client.completeDeviceAuthorization(device) }
    await clock.waitForSleepers()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(script.seconds.isEmpty && clock.sleeperCount == 0)
    let again = Task { try await client.completeDeviceAuthorization(device) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(try await again.value.accessToken == Secret("access"))
  }

  // MARK: - Through an account

  private struct Verifier: TokenVerifier {
    func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {}
    func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws {
      throw OAuthError(.invalidResponse, "Refused.")
    }
  }

  private struct BrowserVerifier: TokenVerifier {
    func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {}
  }

  /// A token that is requested on another device is for the account's resources alone, too.
  @Test func parametersOfTheAccountAreSent() async throws {
    let script = Script([.response(Self.token)], clock: clock)
    var parameters: AuthorizationParameters = ["audience": "items", "tenant": "a"]
    parameters.resources = [URL(literal: "https://api.example/")]
    let account = OAuthAccount(
      client: try client(script), storage: InMemoryTokenStorage(), account: "me", scopes: ["read"],
      parameters: parameters)
    let device = try await account.beginDeviceSignIn(parameters: ["tenant": "b"])
    #expect(device.resources == parameters.resources)
    let form = script.requests[0].form
    #expect(form["resource"] == "https://api.example/" && form["audience"] == "items" && form["tenant"] == "b")
    #expect(try await account.client.completeDeviceAuthorization(device).resources == ["https://api.example/"])
    #expect(script.requests[1].form["resource"] == "https://api.example/")
  }

  @Test(arguments: [true, false])
  func tokensThatTheVerifierRefusesAreRevokedAndNotStored(_ isForBrowsers: Bool) async throws {
    let script = Script([.response(Self.token)], clock: clock)
    let storage = InMemoryTokenStorage()
    let verifier: any TokenVerifier = isForBrowsers ? BrowserVerifier() : Verifier()
    let account = OAuthAccount(
      client: try client(script), storage: storage, account: "me", scopes: [], verifier: verifier)
    await expectError(isForBrowsers ? .unsupported : .invalidResponse) { try await account.signInOnDevice { _ in } }
    #expect(try await storage.token(for: "me") == nil)
    #expect(script.requests.last?.url.path() == "/revoke")
  }

  @Test func tokensOfARequestThatWasSentAreStoredThoughTheCallerLeft() async throws {
    let gate = AsyncGate()
    let clock = ManualClock(skipsWaits: true)
    let transport = StubTransport { request in
      if request.url.path() == "/device" { return Self.example }
      try await gate.pass()
      return Self.token
    }
    let storage = InMemoryTokenStorage()
    let account = OAuthAccount(client: try client(transport, clock: clock), storage: storage, account: "me", scopes: [])
    var events = account.signInEvents.makeAsyncIterator()
    let signIn = Task { try await account.signInOnDevice { _ in } }
    await gate.waitForArrival()
    signIn.cancel()
    await #expect(throws: CancellationError.self) { try await signIn.value }
    await gate.open()
    #expect(await events.next() == .granted)
    #expect(try await storage.token(for: "me")?.accessToken == Secret("access"))
  }
}
