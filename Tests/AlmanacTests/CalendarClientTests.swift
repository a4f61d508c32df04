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
