// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

/// Many concurrent callers with an expired token: one refresh, then a request of each.
enum CallerRows {
  static let path = "callers"
  static let work = "10,000 on an expired token"

  static var rows: [Row] {
    get throws {
      let server = CountingServer()
      let tokenEndpoint = try CountingServer.url("https://accounts.example.com/token")
      let client = try OAuthClient(
        server: ServerMetadata(
          issuer: "https://accounts.example.com",
          authorizationEndpoint: try CountingServer.url("https://accounts.example.com/authorize"),
          tokenEndpoint: tokenEndpoint),
        registration: ClientRegistration(clientID: "client"), transport: server)
      let endpoint = try CountingServer.url("https://www.example.com/calendar/v3/colors")
      guard let origin = Origin(endpoint) else { throw URLError(.badURL) }
      let request = HTTPRequest(.get, endpoint)
      return [
        Row(
          path, work,
          ours: contender("AuthorizedTransport", server, refreshes: 1) {
            let storage = InMemoryTokenStorage(["me": .expired])
            let tokens = RefreshingTokenSource(client: client, storage: storage, account: "me")
            let authorized = server.authorized(by: tokens, for: [origin])
            return { try await authorized.send(request) }
          },
          baselines: [
            contender(
              "one task in an actor", server, refreshes: 1,
              doesLess: "no storage, no lock, no cancellation, no check of the origin"
            ) {
              let tokens = BareTokens(server: server, endpoint: tokenEndpoint)
              return {
                var request = request
                request.fields["Authorization"] = "Bearer \(try await tokens.token())"
                return try await server.send(request)
              }
            },
            contender("no authorization", server, refreshes: 0, doesLess: "no token") {
              { try await server.send(request) }
            },
          ])
      ]
    }
  }

  private static let callers = 10_000

  /// Returns a contender whose calls start with an expired token, and end when each caller has a response.
  private static func contender(
    _ name: String, _ server: CountingServer, refreshes: Int, doesLess: String? = nil,
    _ start: @escaping () -> @Sendable () async throws -> HTTPResponse
  ) -> Contender {
    let run = {
      let send = start()
      return wait {
        // Tasks without a group, whose cost per member is not measured.
        let tasks = (0..<callers).map { _ in Task { try await send().status == 204 } }
        var good = 0
        for task in tasks where (try? await task.value) == true { good += 1 }
        return good
      }
    }
    let check = { () -> String? in
      server.reset()
      let good = run()
      let counts = server.counts
      guard good == callers else { return "\(good) callers had a response" }
      guard counts.refreshes == refreshes else { return "\(counts.refreshes) refreshes were sent" }
      return counts.requests == callers ? nil : "\(counts.requests) requests were sent"
    }
    return Contender(name, doesLess: doesLess, check: check, run)
  }
}

extension StoredToken {
  fileprivate static let expired = StoredToken(
    accessToken: Secret("expired"), expiresAt: Timestamp(secondsSince1970: 1_700_000_000),
    refreshToken: Secret("refresh"), issuer: "https://accounts.example.com", clientID: "client")
}

/// A program's own implementation: the task of a refresh in an actor.
private actor BareTokens {
  private let server: CountingServer
  private let endpoint: URL
  private var refresh: Task<String, any Error>?

  init(server: CountingServer, endpoint: URL) {
    self.server = server
    self.endpoint = endpoint
  }

  func token() async throws -> String {
    if let refresh { return try await refresh.value }
    let task = Task { [server, endpoint] in
      let body = Array("grant_type=refresh_token&refresh_token=refresh&client_id=client".utf8)
      let response = try await server.send(HTTPRequest(.post, endpoint, body: body))
      return try JSONDecoder().decode(Granted.self, from: Data(response.body)).accessToken
    }
    refresh = task
    return try await task.value
  }

  private struct Granted: Decodable {
    let accessToken: String

    enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
  }
}

/// A transport that immediately issues a token for a refresh, and responds with 204 to all other requests.
private final class CountingServer: Transport, Sendable {
  private let refreshes = Atomic(0)
  private let requests = Atomic(0)

  var counts: (refreshes: Int, requests: Int) {
    (refreshes.load(ordering: .relaxed), requests.load(ordering: .relaxed))
  }

  func reset() {
    refreshes.store(0, ordering: .relaxed)
    requests.store(0, ordering: .relaxed)
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == .post else {
      requests.add(1, ordering: .relaxed)
      return HTTPResponse(status: 204)
    }
    refreshes.add(1, ordering: .relaxed)
    let body = #"{"access_token":"new","token_type":"Bearer","expires_in":3600,"refresh_token":"next"}"#
    return HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}
