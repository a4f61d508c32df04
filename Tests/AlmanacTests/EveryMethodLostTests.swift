// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import TokenStore

/// Every method of the API whose response is lost after the change was made: it happens once, or the error says that the outcome is
/// unknown, and following its advice leaves one effect.
@Suite(.hangLimit) struct EveryMethodLostTests {
  enum Loss: Sendable, CaseIterable {
    case lostOnce
    case failedOnce
    case lostAlways
    case failedAlways
    case unreadableAlways
    /// The last attempts come too fast, which hides that the first one was carried out.
    case lostThenTooMany
  }

  /// A network that carries requests out and loses their responses.
  private final class Network: Transport {
    private struct State {
      var loss: Loss?
      /// The method and URL of the request that is lost.
      var target: (HTTPMethod, URL)?
      var count = 0
    }

    let sandbox: Sandbox
    private let state = Mutex(State())

    init(_ sandbox: Sandbox) { self.sandbox = sandbox }

    /// Loses the responses to the next request, and to those that repeat it.
    func lose(_ loss: Loss?) { state.withLock { $0 = State(loss: loss) } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let place = request.url.path()
      let (loss, count) = state.withLock { state -> (Loss?, Int) in
        guard state.loss != nil, place.hasPrefix("/calendar/") else { return (nil, 0) }
        if state.target == nil { state.target = (request.method, request.url) }
        guard let target = state.target, target == (request.method, request.url) else { return (nil, 0) }
        state.count += 1
        return (state.loss, state.count)
      }
      if loss == .lostThenTooMany, count > 1 { return HTTPResponse(status: 429) }
      let response = await sandbox.respond(to: request)
      switch loss {
      case nil: return response
      case .lostOnce, .failedOnce: if count > 1 { return response }
      default: break
      }
      switch loss {
      case .lostOnce, .lostAlways, .lostThenTooMany: throw TransportError(.connectionLost, "The response was lost.")
      case .unreadableAlways where response.isSuccess: return HTTPResponse(status: 200, body: Array("<html>".utf8))
      case .unreadableAlways: return response
      default: return HTTPResponse(status: 503)
      }
    }
  }

  /// A sandbox with a signed-in user.
  private struct World {
    let network: Network
    let client: CalendarClient

    init() async throws {
      let clock = ManualClock(skipsWaits: true)
      var configuration = Sandbox.Configuration()
      configuration.use(try #require(Sandbox.Seed.fewEvents))
      configuration.notificationTransport = StubTransport { _ in HTTPResponse(status: 200) }
      network = Network(Sandbox(clock: clock, configuration: configuration))
      let google = try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: [.calendar], storage: InMemoryTokenStorage(),
        userAgent: network.sandbox.approvingUser,
        options: .init(
          services: GoogleServices(provider: network.sandbox.provider(), apiURL: Sandbox.inProcessURL),
          transport: network, clock: clock))
      try await google.authorize()
      client = google.calendar
    }

    /// The server's content, without the values that differ between two servers that did the same.
    func content() async throws -> [String] {
      var lines: [String] = []
      func add(_ text: String, _ fields: [String?]) {
        lines.append(([text] + fields.map { $0 ?? "–" }).joined(separator: " "))
      }
      for try await entry in client.calendarList.all(.init(maxResults: 250)) {
        add("calendar", [entry.title, entry.accessRole?.rawValue])
        guard entry.accessRole == .owner || entry.primary == true, let id = entry.id else { continue }
        let metadata = try await client.calendars.get(id)
        add("metadata", [metadata.summary, metadata.location, metadata.dataOwner])
        for try await rule in client.acl.all(in: id) { add("rule", [rule.id, rule.role?.rawValue]) }
        for try await event in client.events.all(in: id, .init(maxResults: 2500)) {
          add("event", [entry.title, event.summary, event.status?.rawValue, "\(event.start as Any)"])
        }
      }
      return lines.sorted()
    }

    /// Whether the channel of the calls is open: its identifier cannot be used again.
    func hasChannel() async throws -> Bool {
      do {
        try await client.calendarList.watch(MethodCall.channel())
        return false
      } catch let error as CalendarError where error.code == "channelIdNotUnique" {
        return true
      }
    }
  }

  @Test func theTableHasEveryMethod() throws {
    let table = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Tools/API/calendar_v3.json")
    let methods = try JSONValue(json: Array(Data(contentsOf: table.standardizedFileURL)))["methods"]?.object
    #expect(Set(MethodCall.all.map(\.name)) == Set((methods ?? [:]).keys))
  }

  @Test(arguments: MethodCall.all) func oneEffectIsLeft(_ call: MethodCall) async throws {
    let expected = try await World()
    try await call.prepare(expected.client)
    try await call.request(expected.client)(expected.client)
    let (content, hasChannel) = (try await expected.content(), try await expected.hasChannel())
    for loss in Loss.allCases {
      let world = try await world(after: call, with: loss)
      #expect(try await world.content() == content, "\(loss)")
      #expect(try await world.hasChannel() == hasChannel, "\(loss)")
    }
  }

  /// A sandbox after a call whose responses are lost, and after what its error advises.
  private func world(after call: MethodCall, with loss: Loss) async throws -> World {
    let world = try await World()
    try await call.prepare(world.client)
    let send = try await call.request(world.client)
    world.network.lose(loss)
    do {
      try await send(world.client)
    } catch {
      world.network.lose(nil)
      try await follow(error, of: call, by: send, in: world)
    }
    world.network.lose(nil)
    return world
  }

  /// Does what an error advises.
  private func follow(_ error: any Error, of call: MethodCall, by send: MethodCall.Sending, in world: World)
    async throws
  {
    if MethodCall.reading.contains(where: { $0.name == call.name }) {
      #expect((error as? CalendarError)?.code != .outcomeUnknown, "It changes nothing.")
      return try await send(world.client)
    }
    let error = try #require(error as? CalendarError, "\(error)")
    #expect(error.code == .outcomeUnknown, "\(error)")
    #expect(error.cause != nil)
    let outcome = try #require(error.unknownOutcome)
    #expect(outcome.method == call.name)
    if outcome.isRepeatable {
      #expect(error.remedy == .backOff && error.message.contains("Send the same request again"))
    } else {
      #expect(error.remedy == .checkOutcome && !error.message.contains("Send the same request again"))
      let lookup = try #require(outcome.lookup)
      do {
        if call.isThere(try await world.client.send(lookup)) { return }
      } catch let error as CalendarError where error.code == .notFound {}
    }
    do {
      try await send(world.client)
    } catch let error as CalendarError where error.code == "channelIdNotUnique" {
      // The server has the channel.
    }
  }
}
