// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

/// How the cost of one element grows with the number of elements.
///
/// In each row the same amount of work is done at every size: the largest size is ours, and the smaller ones are its
/// baselines, so that a gate is a ratio of two sizes of the same code.
enum GrowthRows {
  static let path = "growth"

  static var rows: [Row] {
    get throws { fields + [keys, waiters, authorizations] + [try refreshes, requests] }
  }

  /// A row of `work` at sizes that double from `sizes.lowerBound` to `sizes.upperBound`.
  ///
  /// - Parameters:
  ///   - total: The elements that one call works on, a multiple of every size.
  ///   - work: Makes, for a size, what works on `total` elements, `size` at a time.
  private static func curve(_ name: String, _ sizes: ClosedRange<Int>, total: Int, _ work: (Int) -> () -> Int) -> Row {
    let sizes = sequence(first: sizes.upperBound) { $0 / 2 >= sizes.lowerBound ? $0 / 2 : nil }
    let contenders = sizes.map { Contender("n = \($0)", items: total, work($0)) }
    return Row(path, name, ours: contenders[0], baselines: Array(contenders.dropFirst()))
  }
}

// MARK: Lists of fields

extension GrowthRows {
  /// Names of one length, of which only the last characters differ: what comparing takes longest for.
  private static let names = (0..<16_384).map { "X-Almanac-Field-\(100_000 + $0)" }

  private static var fields: [Row] {
    let sizes = 8...names.count
    return [
      curve("HTTPFields: set", sizes, total: names.count) { size in
        { repeated(size) { names in names.reduce(into: HTTPFields()) { $0[$1] = "value" }.count } }
      },
      curve("HTTPFields: get", sizes, total: names.count) { size in
        let fields = HTTPFields(names.prefix(size).map { ($0, "value") })
        return { repeated(size) { _ in names.prefix(size).reduce(0) { $0 &+ (fields[$1]?.utf8.count ?? 0) } } }
      },
      curve("FormFields: set", sizes, total: names.count) { size in
        { repeated(size) { names in names.reduce(into: FormFields()) { $0[$1] = "value" }.count } }
      },
      curve("FormFields: get", sizes, total: names.count) { size in
        let fields = FormFields(names.prefix(size).map { ($0, "value") })
        return { repeated(size) { _ in names.prefix(size).reduce(0) { $0 &+ (fields[$1]?.utf8.count ?? 0) } } }
      },
    ]
  }

  /// Hands out all names, `size` at a time.
  private static func repeated(_ size: Int, _ body: (ArraySlice<String>) -> Int) -> Int {
    stride(from: 0, to: names.count, by: size).reduce(0) { $0 &+ body(names[$1..<$1 + size]) }
  }
}

// MARK: JSON

extension GrowthRows {
  /// A key of 4,096 escapes: as one of a map, which reads it once, and as one that `Event` compares with all its fields.
  private static var keys: Row {
    let key = "\"" + String(repeating: "\\u0061", count: 4096) + "\":\"\""
    let event = Array("{\(key)}".utf8)
    let map = Array("{\"private\":{\(key)}}".utf8)
    return Row(
      path, "JSON: a key with escapes",
      ours: Contender("Event", items: 4096) { (try? Event(json: event))?.additionalFields.count ?? 0 },
      baselines: [Contender("a map", items: 4096) { (try? Event.ExtendedProperties(json: map))?.private?.count ?? 0 }])
  }
}

// MARK: Waiting and remembering

extension GrowthRows {
  /// Every other waiter gives up, the last first, and the rest are served.
  private static var waiters: Row {
    let total = 16_384
    return curve("KeyedLock: wait, give up or be served", 16...total, total: total) { size in
      {
        var served = 0
        for _ in 0..<(total / size) {
          var line = WaitingLine<Int>()
          for id in 0..<size { line.append(id, id: id) }
          for id in stride(from: size - 1, to: 0, by: -2) { _ = line.remove(id) }
          while line.removeFirst() != nil { served &+= 1 }
        }
        return served
      }
    }
  }

  /// Authorizations that are completed while others have not reached their deadline yet.
  private static var authorizations: Row {
    let total = 8192
    let states = (0..<total).map { "state-\($0)" }
    return curve("OAuthClient: authorizations completed once", 16...total, total: total) { size in
      let now = Timestamp(secondsSince1970: 0)
      return {
        var count = 0
        for _ in 0..<(total / size) {
          let completed = CompletedSignIns()
          for number in 0..<size {
            let deadline = now + .seconds(600 + (number &* 7919) % 600)
            if completed.insert(states[number], until: deadline, now: now) { count &+= 1 }
          }
        }
        return count
      }
    }
  }

  /// Refreshes of a token while other access tokens have not expired yet.
  ///
  /// The clock moves so that their number stays.
  private static var refreshes: Row {
    get throws {
      let total = 64
      guard let url = URL(string: "https://sandbox.example") else { throw URLError(.badURL) }
      return curve("Sandbox: refresh, tokens that have not expired", 64...8192, total: total) { size in
        let session = Mutex<SandboxSession?>(nil)
        return {
          wait {
            let ready = session.withLock(\.self)
            let current: SandboxSession
            if let ready {
              current = ready
            } else {
              current = try await SandboxSession(url: url, tokens: size)
              session.withLock { $0 = current }
            }
            for _ in 0..<total { try await current.refresh() }
          }
          return total
        }
      }
    }
  }
}

/// One user of a sandbox in which a number of access tokens are valid.
private final class SandboxSession: Sendable {
  private let clock = ManualClock()
  private let step: Duration
  private let client: OAuthClient
  private let refreshToken: Mutex<Secret>

  init(url: URL, tokens: Int) async throws {
    let lifetime = Duration.seconds(3600)
    let sandbox = Sandbox(
      clock: clock, configuration: .init(accessTokenLifetime: lifetime, refreshTokenLifetime: lifetime))
    step = lifetime / tokens
    let transport = sandbox.transport(at: url)
    client = try OAuthClient(
      server: ServerMetadata(
        issuer: "\(url)", authorizationEndpoint: url.appending(path: "authorize"),
        tokenEndpoint: url.appending(path: "token")),
      registration: ClientRegistration(clientID: "almanac"), transport: transport, clock: clock)
    guard let redirect = URL(string: "http://127.0.0.1:49152/callback") else { throw URLError(.badURL) }
    let pending = try await client.beginAuthorization(scopes: ["email"], redirectURI: redirect)
    let callback = try sandbox.approve(pending.authorizationURL)
    let token = try await client.completeAuthorization(pending, callback: callback)
    refreshToken = Mutex(token.refreshToken ?? Secret(""))
    for _ in 0..<tokens { try await refresh() }
  }

  func refresh() async throws {
    clock.advance(by: step)
    let token = try await client.refresh(
      StoredToken(
        accessToken: Secret(""), refreshToken: refreshToken.withLock(\.self), issuer: client.server.issuer,
        clientID: client.registration.clientID))
    refreshToken.withLock { $0 = token.refreshToken ?? $0 }
  }
}

// MARK: A server's idle connections

extension GrowthRows {
  /// Requests on one connection while others are idle.
  private static var requests: Row {
    let total = 32
    return curve("LoopbackServer: request, open connections", 1...1024, total: total) { size in
      var fixture: IdleConnections?
      return {
        let connections = fixture ?? IdleConnections(size)
        fixture = connections
        for _ in 0..<total { connections.exchange() }
        return total
      }
    }
  }
}

/// A server with connections that are idle, but for the last.
private final class IdleConnections {
  private let connections: [LoopbackConnection]
  private let request: [UInt8]

  init(_ count: Int) {
    // Both ends of each connection take a descriptor.
    LoopbackConnection.raiseLimit()
    let port = wait {
      let limits = LoopbackServer.Limits(connections: 2 * count, idleTimeout: .seconds(3600))
      return try await LoopbackServer.start(limits: limits) { _ in HTTPResponse(status: 204) }.port
    }
    let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
    connections = (0..<count).map { _ in
      let connection = LoopbackConnection(port: port)
      // The server has accepted the connection when it responds.
      _ = connection.exchange(request)
      return connection
    }
    self.request = request
  }

  func exchange() { _ = connections.last?.exchange(request) }
}
