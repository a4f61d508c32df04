// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Testing
import Timekeeping
import TokenStore

@testable import AgendaService

/// Tests the service with the sandbox, over a network that fails on request, without sockets, disk or waiting.
@Suite struct AgendaServiceTests {
  private let clock = ManualClock(skipsWaits: true)
  private let network: Network
  private let google: GoogleAccount
  private let service: AgendaService

  init() throws {
    network = Network(Sandbox(clock: clock))
    google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.calendarReadOnly], storage: InMemoryTokenStorage(),
      userAgent: network.sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: network.sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: network.transport, clock: clock))
    service = AgendaService(google: google, clock: clock, timeZone: .gmt)
  }

  @Test func theNextEventsOfAllCalendarsInOrder() async throws {
    try await google.authorize()
    let entries = try await service.next(10)
    #expect(entries.count == 10)
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.start <= $1.start })
    #expect(Set(entries.map(\.calendar)).count > 1)
    #expect(try await service.next(3) == Array(entries.prefix(3)))
  }

  @Test func anExpiredTokenIsRefreshedOnce() async throws {
    try await google.authorize()
    clock.advance(by: .seconds(3600))
    #expect(try await service.next(5).count == 5)
    #expect(network.sandbox.refreshRequestCount == 1, "The calendars are read at the same time, with one refresh.")
  }

  @Test func aTokenThatTheServerRejectsIsRefreshedOnce() async throws {
    try await google.authorize()
    network.sandbox.invalidateAccessTokens()
    #expect(try await service.next(5).count == 5)
    #expect(network.sandbox.refreshRequestCount == 1)
  }

  @Test func accessThatWasWithdrawnNeedsASignIn() async throws {
    try await google.authorize()
    network.sandbox.revokeGrants()
    await #expect(throws: AgendaService.Failure.signInRequired) { try await service.next(5) }
  }

  @Test func withoutASignInNothingIsSent() async throws {
    await #expect(throws: AgendaService.Failure.signInRequired) { try await service.next(5) }
    #expect(network.transport.requests.isEmpty)
  }

  @Test func aNetworkThatIsDownCostsNoSignIn() async throws {
    try await google.authorize()
    clock.advance(by: .seconds(3600))
    network.fail { _ in throw TransportError(.unreachable, "No network.") }
    await #expect(throws: AgendaService.Failure.offline) { try await service.next(5) }
    network.fail { _ in nil }
    #expect(try await service.next(5).count == 5)
  }

  @Test func aRequestThatCameTooSoonIsSentAgain() async throws {
    try await google.authorize()
    let refusals = Mutex(2)
    network.fail { _ in
      refusals.withLock { left in
        left -= 1
        return left >= 0 ? .tooManyRequests : nil
      }
    }
    #expect(try await service.next(5).count == 5)
    network.fail { _ in .tooManyRequests }
    await #expect(throws: AgendaService.Failure.busy) { try await service.next(5) }
  }

  @Test func aScopeThatIsMissingIsSaid() async throws {
    try await google.authorize()
    network.fail { _ in .json(403, #"{"error":{"code":403,"errors":[{"reason":"insufficientPermissions"}]}}"#) }
    await #expect(throws: AgendaService.Failure.accessMissing) { try await service.next(5) }
  }

  @Test("A response that is no calendar", arguments: [#"{"items": 1}"#, "<html>", #"{"items": ["#, ""])
  func aMalformedResponse(body: String) async throws {
    try await google.authorize()
    network.fail { _ in .json(200, body) }
    let failure = try await #require(throws: AgendaService.Failure.self) { try await service.next(5) }
    guard case .unexpected(let message) = failure else { throw failure }
    #expect(!message.isEmpty && !message.contains("html"))
  }

  @Test func cancellationIsNoFailure() async throws {
    try await google.authorize()
    network.fail { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await service.next(5) }
  }
}

/// The network between the service and the sandbox.
private final class Network: Sendable {
  let sandbox: Sandbox
  let transport: StubTransport
  private let fault: Fault

  /// The response that replaces the sandbox's, or `nil` for the sandbox's.
  typealias Response = @Sendable (HTTPRequest) throws -> HTTPResponse?

  init(_ sandbox: Sandbox) {
    let fault = Fault()
    self.sandbox = sandbox
    self.fault = fault
    transport = StubTransport { request in
      if let response = try fault.response(request) { return response }
      return await sandbox.respond(to: request)
    }
  }

  func fail(_ response: @escaping Response) { fault.set(response) }

  private final class Fault: Sendable {
    private let handler = Mutex<Response> { _ in nil }

    func set(_ response: @escaping Response) { handler.withLock { $0 = response } }

    func response(_ request: HTTPRequest) throws -> HTTPResponse? { try handler.withLock { $0 }(request) }
  }
}

extension HTTPResponse {
  fileprivate static let tooManyRequests = json(
    429, #"{"error":{"code":429,"errors":[{"domain":"usageLimits","reason":"rateLimitExceeded"}]}}"#)

  fileprivate static func json(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}
