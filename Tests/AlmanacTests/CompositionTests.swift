// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import OAuthResources
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// The attempts of the accounts and clients that programs compose, over a transport that retries and one that does not.
///
/// `AttemptsTests` has the orders of the decorators below an account.
@Suite(.hangLimit) struct CompositionTests {
  /// The sandbox, whose API fails on request.
  private final class Network: Transport {
    let sandbox: Sandbox
    private let failure = Mutex<(@Sendable () throws -> HTTPResponse)?>(nil)
    private let failed = Mutex(0)

    init(_ sandbox: Sandbox) { self.sandbox = sandbox }

    /// The number of requests that failed.
    var count: Int { failed.withLock { $0 } }

    func fail(_ response: @escaping @Sendable () throws -> HTTPResponse) {
      failure.withLock { $0 = response }
      failed.withLock { $0 = 0 }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      guard request.url.path().hasPrefix("/calendar/") || request.url.path().hasPrefix("/batch/"),
        let failure = failure.withLock({ $0 })
      else { return await sandbox.respond(to: request) }
      failed.withLock { $0 += 1 }
      return try failure()
    }
  }

  enum Composition: String, Sendable, CaseIterable {
    case account = "GoogleAccount(transport:)"
    case accountOfAuthorization = "GoogleAccount(oauthAccount:)"
    case batch = "a batch of two"
    case steppingUp = "CalendarClient over a stepping-up transport"
  }

  private let clock = ManualClock(skipsWaits: true)
  private let network: Network

  init() { network = Network(Sandbox(clock: clock)) }

  private func account(
    _ http: any Transport, _ retries: RetryPolicy = .default, byHand: Bool = false
  ) async throws -> GoogleAccount {
    let services = GoogleServices(provider: network.sandbox.provider(), apiURL: Sandbox.inProcessURL)
    func client(_ http: some Transport) throws -> OAuthClient {
      try OAuthClient(
        provider: services.provider, registration: ClientRegistration(clientID: Sandbox.Client.native.id),
        transport: http, clock: clock)
    }
    let google =
      byHand
      ? GoogleAccount(
        oauthAccount: OAuthAccount(
          client: try client(http), storage: InMemoryTokenStorage(), account: "me",
          scopes: [.calendar], userAgent: network.sandbox.approvingUser),
        apiURL: services.apiURL, retryPolicy: retries)
      : try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: [.calendar], storage: InMemoryTokenStorage(),
        userAgent: network.sandbox.approvingUser,
        options: .init(services: services, transport: http, retryPolicy: retries, clock: clock))
    try await google.authorize()
    return google
  }

  private func call(_ composition: Composition, over http: any Transport) async throws {
    let google = try await account(http, byHand: composition == .accountOfAuthorization)
    switch composition {
    case .account, .accountOfAuthorization: _ = try await google.calendar.colors.get()
    case .batch:
      let (first, second) = try await google.calendar.batch(ColorsResource.get(), SettingsResource.list())
      _ = (try first.get(), try second.get())
    case .steppingUp:
      let transport = google.oauthAccount.transport(for: Sandbox.inProcessURL, stepUpLimit: 2)
      let client = CalendarClient(transport: transport, baseURL: Sandbox.inProcessURL, clock: clock)
      _ = try await client.colors.get()
    }
  }

  @Test(arguments: Composition.allCases, [false, true])
  func everyCompositionMakesOnePolicysAttempts(_ composition: Composition, overOneThatRetries: Bool) async throws {
    // Random waits, of up to 0.5, 1 and 2 seconds, and those that the server requested.
    let backoff: ClosedRange<Duration> = .nanoseconds(1) ... .milliseconds(3500)
    let failures: [(name: String, response: @Sendable () throws -> HTTPResponse, waited: ClosedRange<Duration>)] = [
      ("503", { HTTPResponse(status: 503) }, backoff),
      ("429", { HTTPResponse(status: 429) }, backoff),
      ("500", { HTTPResponse(status: 500) }, backoff),
      ("Retry-After", { HTTPResponse(status: 503, fields: ["Retry-After": "30"]) }, .seconds(90) ... .seconds(90)),
      ("lost", { throw TransportError(.connectionLost, "The response was lost.") }, backoff),
    ]
    for failure in failures {
      let network = Network(Sandbox(clock: clock))
      let subject = CompositionTests(network)
      let start = subject.clock.now
      network.fail(failure.response)
      let http: any Transport = overOneThatRetries ? network.retrying(clock: subject.clock) : network
      _ = try? await subject.call(composition, over: http)
      #expect(network.count == 4, "\(composition.rawValue), \(failure.name)")
      #expect(failure.waited.contains(subject.clock.now - start), "\(composition.rawValue), \(failure.name)")
    }
  }

  private init(_ network: Network) { self.network = network }

  @Test(arguments: [false, true]) func retriesAreAParameterOfTheAccount(byHand: Bool) async throws {
    for (retries, inner, count) in [
      (RetryPolicy.none, RetryPolicy.none, 1), (.none, RetryPolicy(maximumAttempts: 3), 3),
      (RetryPolicy(maximumAttempts: 2), RetryPolicy(maximumAttempts: 5), 2), (.default, .none, 4),
    ] {
      let google = try await account(network.retrying(inner, clock: clock), retries, byHand: byHand)
      network.fail { HTTPResponse(status: 503) }
      await #expect(throws: CalendarError.self) { try await google.calendar.colors.get() }
      #expect(network.count == count)
    }
  }

  @Test func aLostTokenRequestLeavesNoWriteOpen() async throws {
    let transport = StubTransport { [network] request in
      if request.url.path() == "/token", network.count == 1 {
        throw TransportError(.connectionLost, "The response was lost.")
      }
      return try await network.send(request)
    }
    let google = try await account(transport)
    network.fail { HTTPResponse(status: 401) }
    let error = try await #require(throws: TransportError.self) {
      try await google.calendar.events.quickAdd("Tea", in: "primary")
    }
    #expect(error.code == .connectionLost)
    #expect(network.count == 1)
  }
}
