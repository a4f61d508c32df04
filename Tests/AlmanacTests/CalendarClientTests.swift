// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import LoopbackHTTP
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// The Calendar client against the emulator, which was written from Google's documents and not from the client.
@Suite(.takesTurns) struct CalendarClientTests {
  private let sandbox: Sandbox
  private let google: GoogleAccount
  private let client: CalendarClient
  private let receiver = Receiver()

  init() async throws {
    let clock = ManualClock(skipsWaits: true)
    var configuration = Sandbox.Configuration()
    configuration.notificationTransport = LoopbackDelivery(receiver: receiver)
    sandbox = Sandbox(clock: clock, configuration: configuration)
    google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.calendar], storage: InMemoryTokenStorage(),
      userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport(), clock: clock))
    try await google.authorize()
    client = CalendarClient(transport: google.transport(), baseURL: Sandbox.inProcessURL, clock: clock)
  }

  private static func event(_ summary: String) throws -> Event {
    try Event {
      $0.summary = summary
      $0.start = EventDateTime(date: try CivilDate(rfc3339: "2026-03-01"))
      $0.end = EventDateTime(date: try CivilDate(rfc3339: "2026-03-02"))
    }
  }

  /// A third of 1,000 insertions fails, for three reasons, each time that they are attempted.
  ///
  /// At the default number of attempts, and 16 at a time, some have no attempt left: their error says that they may be sent
  /// again, or that the outcome is unknown. Sending the same request completes them, whether or not an attempt was carried out.
  @Test(arguments: [false, true]) func failuresLoseAndDoubleNothing(inBatches: Bool) async throws {
    let faults = [(403, "rateLimitExceeded", 7), (503, "backendError", 8), (429, "rateLimitExceeded", 9)]
    for (status, reason, every) in faults {
      sandbox.failCalls(
        Sandbox.CallFault(
          status: status, reason: reason, method: "events.insert", count: .max, every: every,
          isCarriedOut: status == 503))
    }
    let requests = try (0..<1000).map { EventsResource.insert(try Self.event("\($0)"), in: "primary") }
    let results = inBatches ? try await client.batch(requests) : try await results(of: requests)
    var failures: [(request: CalendarRequest<Event>, error: CalendarError)] = []
    for (number, result) in results.enumerated() {
      switch result {
      case .success(let event): #expect(event.summary == "\(number)")
      case .failure(let error): failures.append((requests[number], error))
      }
    }
    #expect(failures.allSatisfy { $0.error.remedy == .backOff || $0.error.code == .outcomeUnknown })
    #expect(failures.count < 100, "\(failures.count) of 1,000 had no attempt left")

    sandbox.stopFailing()
    for failure in failures { _ = try await client.send(failure.request) }
    var numbers: [Int] = []
    for try await event in client.events.all(in: "primary", .init(maxResults: 2500)) {
      if let number = event.summary.flatMap({ Int($0) }) { numbers.append(number) }
    }
    #expect(numbers.sorted() == Array(0..<1000))
  }

  /// Sends requests, 16 at a time.
  private func results(of requests: [CalendarRequest<Event>]) async throws -> [Result<Event, CalendarError>] {
    try await withThrowingTaskGroup(of: (number: Int, result: Result<Event, CalendarError>).self) { group in
      var results: [Int: Result<Event, CalendarError>] = [:]
      for (number, request) in requests.enumerated() {
        if number >= 16, let (finished, result) = try await group.next() { results[finished] = result }
        group.addTask {
          do {
            return (number, .success(try await client.send(request)))
          } catch let error as CalendarError {
            return (number, .failure(error))
          }
        }
      }
      for try await (finished, result) in group { results[finished] = result }
      return results.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  @Test func aWatchNotifiesAProgramOfChanges() async throws {
    let notified = Mutex<[ChannelNotification]>([])
    let server = try await LoopbackServer.start { request in
      guard let notification = try? ChannelNotification(request.fields) else { return HTTPResponse(status: 400) }
      notified.withLock { $0.append(notification) }
      return HTTPResponse(status: 204)
    }
    receiver.port.withLock { $0 = server.port }
    let channel = try await client.events.watch(WatchChannel(address: "https://program.example/changes"), in: "primary")
    try await client.events.insert(try Self.event("Lunch"), in: "primary")
    await sandbox.notificationsDelivered()
    try await client.channels.stop(channel)
    try await client.events.insert(try Self.event("Dinner"), in: "primary")
    await sandbox.notificationsDelivered()
    await server.stop()

    let notifications = notified.withLock { $0 }
    #expect(notifications.map(\.resourceState) == [.sync, .exists])
    #expect(notifications.map(\.messageNumber) == [1, 2])
    #expect(notifications.allSatisfy { $0.belongs(to: channel) && $0.expiration == channel.expirationTime })
    #expect(!notifications.contains { $0.hasToken(WatchChannel.makeToken()) })
  }
}

/// A program that is notified of changes.
private final class Receiver: Sendable {
  /// The port on which it listens; 0 if it does not.
  let port = Mutex(0)
}

/// Delivers notifications for any URL to a loopback address: channels are for `https` URLs only.
private struct LoopbackDelivery: Transport {
  let receiver: Receiver
  private let base = DefaultTransport()

  init(receiver: Receiver) { self.receiver = receiver }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.url = try #require(URL(string: "http://127.0.0.1:\(receiver.port.withLock { $0 })\(request.url.path)"))
    return try await base.send(request)
  }
}
