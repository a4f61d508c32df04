// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Timekeeping
import TokenStore

/// The cost of authorizing a request, with a valid token in memory and a transport that responds immediately.
enum AuthorizedRequestRows {
  static var rows: [Row] {
    get throws { [try bearer, try proven] }
  }

  private static var bearer: Row {
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
        "me": StoredToken(
          accessToken: token, expiresAt: SystemClock().now + .seconds(3600 * 24), issuer: server.issuer,
          clientID: client.registration.clientID)
      ])
      let tokens = RefreshingTokenSource(client: client, storage: storage, account: "me")
      let endpoint = try url("https://www.example.com/calendar/v3/users/me/calendarList?maxResults=250")
      guard let origin = Origin(endpoint) else { throw URLError(.badURL) }
      let authorized = transport.authorized(by: tokens, for: [origin])
      return Row(
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
    }
  }

  /// The same with a proof for each request (RFC 9449), compared with the signature alone.
  private static var proven: Row {
    get throws {
      let transport = InstantTransport()
      let signer = try SigningKey.generate(.es256)
      let key = try DPoPKey(signer)
      let token = AccessToken(
        Secret(String(repeating: "t", count: 180)), type: "DPoP", proofKey: try key.record())
      let endpoint = try url("https://www.example.com/calendar/v3/users/me/calendarList?maxResults=250")
      guard let origin = Origin(endpoint) else { throw URLError(.badURL) }
      let authorized = transport.authorized(by: FixedToken(token: token), for: [origin])
      let message = [UInt8](repeating: 0x61, count: 420)
      return Row(
        "authorised request", "GET, DPoP proof by ES256",
        ours: contender("AuthorizedTransport") { try await authorized.send(HTTPRequest(.get, endpoint)) },
        baselines: [
          contender("signature alone") {
            _ = try signer.signature(for: message)
            return try await transport.send(HTTPRequest(.get, endpoint))
          },
          contender("proof made by hand") {
            var request = HTTPRequest(.get, endpoint)
            let proof = DPoPProof(for: request, accessToken: token.value, issuedAt: SystemClock().now)
            request.fields["DPoP"] = try proof.signed(with: key)
            request.fields["Authorization"] = "DPoP \(token.value.reveal())"
            return try await transport.send(request)
          },
        ])
    }
  }

  /// The number of requests per call, which makes the cost of starting a task insignificant.
  private static let repetitions = 500

  private static func contender(
    _ name: String, _ send: @escaping @Sendable () async throws -> HTTPResponse
  ) -> Contender {
    Contender(name, items: repetitions) {
      wait {
        for _ in 0..<repetitions {
          let status = try await send().status
          precondition(status == 204, "\(name) does not work")
        }
        return repetitions
      }
    }
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}

/// A token source that returns the same token each time.
private struct FixedToken: TokenSource {
  let token: AccessToken
  func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken { token }
}

/// A transport that responds with 204 to any request.
private struct InstantTransport: Transport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 204) }
}
