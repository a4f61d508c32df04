// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import BenchmarkHarness
import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

/// The growth of the cost of a call with the number of tokens, connections or events.
enum SandboxGrowthRows {
  static var rows: [Row] {
    get throws { [try refreshes, requests] + calendars }
  }

  /// A row of refreshes while other access tokens have not expired.
  ///
  /// The clock advances such that their number stays constant.
  private static var refreshes: Row {
    get throws {
      // The tokens are random, and so is the time to find one in a dictionary.
      let total = Counting.isActive ? 256 : 64
      guard let url = URL(string: "https://sandbox.example") else { throw URLError(.badURL) }
      return .growth("Sandbox: refresh, tokens that have not expired", 64...8192, total: total) { size in
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
      clock: clock, configuration: .init { ($0.accessTokenLifetime, $0.refreshTokenLifetime) = (lifetime, lifetime) })
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

extension SandboxGrowthRows {
  /// A row of requests on one connection while others are idle.
  private static var requests: Row {
    let total = 32
    return .growth("LoopbackServer: request, open connections", 1...1024, total: total, isCounted: false) { size in
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
