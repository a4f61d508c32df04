// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import CalendarAPI
import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import Support
import Synchronization
import Timekeeping
import TokenStore

/// The growth of the cost of one element with the number of elements.
///
/// Each row does the same amount of work at every size. The largest size is in our column, and the smaller ones are the
/// baselines. The count of instructions is that of the largest size.
enum GrowthRows {
  static let path = "growth"

  static var rows: [Row] {
    get throws { fields + [keys, waiters, authorizations] + [try refreshes, requests] + calendars }
  }

  /// Returns a row of `work` at sizes that grow by a factor from `sizes.lowerBound` to `sizes.upperBound`.
  ///
  /// - Parameters:
  ///   - step: The factor.
  ///   - total: The number of elements per call, a multiple of every size.
  ///   - work: A closure that returns, for a size, the work on `total` elements, `size` at a time.
  static func curve(
    _ name: String, _ sizes: ClosedRange<Int>, step: Int = 2, total: Int, isCounted: Bool = true,
    _ work: (Int) -> () -> Int
  ) -> Row {
    let sizes = sequence(first: sizes.upperBound) { $0 / step >= sizes.lowerBound ? $0 / step : nil }
    let contenders = sizes.map { Contender("n = \($0)", items: total, work($0)) }
    return Row(path, name, isCounted: isCounted, ours: contenders[0], baselines: Array(contenders.dropFirst()))
  }
}

// MARK: Lists of fields

extension GrowthRows {
  /// Names of equal length that differ only in their last characters, which take longest to compare.
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

  /// Calls a closure with all names, `size` at a time.
  private static func repeated(_ size: Int, _ body: (ArraySlice<String>) -> Int) -> Int {
    stride(from: 0, to: names.count, by: size).reduce(0) { $0 &+ body(names[$1..<$1 + size]) }
  }
}

// MARK: JSON

extension GrowthRows {
  /// A row with a key of 4,096 escapes, in a map, which reads it once, and in `Event`, which compares it with all fields.
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
  /// A row in which every second waiter is cancelled, in reverse order, and the others acquire the lock.
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

  /// A row of authorizations that are completed while others have not expired.
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

  /// A row of refreshes while other access tokens have not expired.
  ///
  /// The clock advances such that their number stays constant.
  private static var refreshes: Row {
    get throws {
      // The tokens are random, and so is the time to find one in a dictionary.
      let total = Counting.isActive ? 256 : 64
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

/// A user of a sandbox with a number of valid access tokens.
private final class SandboxSession: Sendable {
  private let clock = SteppedClock()
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

/// A clock that only the benchmark advances.
///
/// `ManualClock` would bring the module `AlmanacTesting`, which takes 39 s to optimize.
private final class SteppedClock: WallClock {
  private let instant = Mutex(Timestamp(secondsSince1970: 1_800_000_000))

  var now: Timestamp { instant.withLock(\.self) }

  func advance(by step: Duration) { instant.withLock { $0 = $0 + step } }

  func sleep(for duration: Duration) async throws { advance(by: duration) }
}

// MARK: A server's idle connections

extension GrowthRows {
  /// A row of requests on one connection while others are idle.
  private static var requests: Row {
    let total = 32
    return curve("LoopbackServer: request, open connections", 1...1024, total: total, isCounted: false) { size in
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

/// A server with idle connections, and one that sends requests.
private final class IdleConnections {
  private let connections: [LoopbackConnection]
  private let request: [UInt8]

  init(_ count: Int) {
    // Each connection uses two descriptors.
    LoopbackConnection.raiseLimit()
    let port = wait {
      let limits = LoopbackServer.Limits(connections: 2 * count, idleTimeout: .seconds(3600))
      return try await LoopbackServer.start(limits: limits) { _ in HTTPResponse(status: 204) }.port
    }
    let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
    connections = (0..<count).map { _ in
      let connection = LoopbackConnection(port: port)
      // After its response, the server has accepted the connection.
      _ = connection.exchange(request)
      return connection
    }
    self.request = request
  }

  func exchange() { _ = connections.last?.exchange(request) }
}
