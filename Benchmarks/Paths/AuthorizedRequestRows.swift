// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import Timekeeping
import TokenStore

/// The cost that authorization adds to a request: a source with a valid token in memory, and a transport that responds at once.
enum AuthorizedRequestRows {
  static var rows: [Row] {
    get throws {
      let transport = InstantTransport()
      let server = ServerMetadata(
        issuer: "https://accounts.example.com",
        authorizationEndpoint: try url("https://accounts.example.com/authorize"),
        tokenEndpoint: try url("https://accounts.example.com/token"))
      let token = Secret(String(repeating: "t", count: 180))
      let client = try OAuthClient(
        server: server, registration: ClientRegistration(clientID: "client"), transport: transport)
      let storage = InMemoryTokenStorage([
        "me": StoredToken(accessToken: token, expiresAt: SystemClock().now + .seconds(3600 * 24))
      ])
      let tokens = RefreshingTokenSource(client: client, storage: storage, account: "me")
      let endpoint = try url("https://www.example.com/calendar/v3/users/me/calendarList?maxResults=250")
      guard let origin = Origin(endpoint) else { throw URLError(.badURL) }
      let authorized = transport.authorized(by: tokens, for: [origin])
      return [
        Row(
          "authorised request", "GET, token in memory",
          ours: contender("AuthorizedTransport") { try await authorized.send(HTTPRequest(.get, endpoint)) },
          baselines: [
            contender("field set by hand") {
              var request = HTTPRequest(.get, endpoint)
              request.fields["Authorization"] = "Bearer \(token.reveal())"
              return try await transport.send(request)
            },
            contender("no authorization") { try await transport.send(HTTPRequest(.get, endpoint)) },
          ])
      ]
    }
  }

  /// Requests in a call, so that starting a task is not what is measured.
  private static let repetitions = 500

  private static func contender(
    _ name: String, _ send: @escaping @Sendable () async throws -> HTTPResponse
  ) -> Contender {
    Contender(name, items: repetitions) {
      // The main thread waits; the task runs on the concurrent pool.
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        for _ in 0..<repetitions {
          let status = try? await send().status
          precondition(status == 204, "\(name) does not work")
        }
        done.signal()
      }
      done.wait()
      return repetitions
    }
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}

/// Responds with 204 to any request.
private struct InstantTransport: Transport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 204) }
}
