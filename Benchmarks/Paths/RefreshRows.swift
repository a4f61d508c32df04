// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

/// The cost of a refresh: a caller with a rejected token gets the next one after it is stored.
enum RefreshRows {
  static let path = "refresh"

  static var rows: [Row] {
    get throws {
      let server = IssuingServer()
      let client = try OAuthClient(
        server: ServerMetadata(
          issuer: "https://accounts.example.com",
          authorizationEndpoint: try url("https://accounts.example.com/authorize"),
          tokenEndpoint: try url("https://accounts.example.com/token")),
        registration: ClientRegistration(clientID: "client"), transport: server)
      let folder = try StorageRows.path
      let files = FileTokenStorage(path: folder + "/refreshed")
      let first = StoredToken.first
      wait { try await files.withExclusiveAccess(to: "me") { try await $0.write(first) } }
      let endpoint = client.server.tokenEndpoint
      return [
        Row(
          path, "token in memory",
          ours: contender("RefreshingTokenSource", client, InMemoryTokenStorage(["me": first])),
          baselines: [byHand(server, endpoint, in: nil)]),
        Row(
          path, "token in a file", isCounted: false, ours: contender("RefreshingTokenSource", client, files),
          baselines: [byHand(server, endpoint, in: folder + "/by-hand")]),
      ]
    }
  }

  private static let repetitions = 20

  private static func contender(_ name: String, _ client: OAuthClient, _ storage: some TokenStorage) -> Contender {
    let refresh: @Sendable (Int) async throws -> (rejected: Secret?, new: Secret) = { count in
      let tokens = RefreshingTokenSource(client: client, storage: storage, account: "me")
      var rejected: AccessToken?
      var token = try await tokens.accessToken()
      for _ in 0..<count {
        rejected = token
        token = try await tokens.accessToken(replacing: token)
      }
      return (rejected?.value, token.value)
    }
    return Contender(
      name, items: repetitions,
      check: {
        let (rejected, new) = wait { try await refresh(1) }
        let stored = wait { try await storage.token(for: "me")?.accessToken }
        return rejected != new && stored == new ? nil : "the new token is not stored"
      },
      { wait { try await refresh(repetitions) }.new.reveal().utf8.count })
  }

  /// Refreshes like a program's own implementation: it decodes the record once and the response once, and replaces the record.
  private static func byHand(_ server: IssuingServer, _ endpoint: URL, in file: String?) -> Contender {
    let refresh: @Sendable (StoredToken) async throws -> StoredToken = { stored in
      var stored = stored
      if let file, let data = FileManager.default.contents(atPath: file) {
        stored = try JSONDecoder().decode(StoredToken.self, from: data)
      }
      let form: FormFields = [
        "grant_type": "refresh_token", "refresh_token": stored.refreshToken?.reveal() ?? "", "client_id": "client",
      ]
      let response = try await server.send(
        HTTPRequest(
          .post, endpoint, fields: ["Content-Type": "application/x-www-form-urlencoded"],
          body: Array(FormEncoding.form.encode(form).utf8)))
      let granted = try JSONDecoder().decode(Granted.self, from: Data(response.body))
      stored.accessToken = Secret(granted.accessToken)
      stored.refreshToken = Secret(granted.refreshToken)
      stored.expiresAt = SystemClock().now + .seconds(granted.expiresIn)
      if let file {
        let bytes = [UInt8](try JSONEncoder().encode(stored))
        guard SystemFile.replace(file, with: bytes) else { throw CocoaError(.fileWriteUnknown) }
      }
      return stored
    }
    return Contender(
      "by hand", items: repetitions, doesLess: "no lock, no second look, no check of the owner, no cancellation"
    ) {
      wait {
        var stored = StoredToken.first
        for _ in 0..<repetitions { stored = try await refresh(stored) }
        return stored
      }.scopes.count
    }
  }

  private struct Granted: Decodable {
    let accessToken, refreshToken: String
    let expiresIn: Int

    enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case refreshToken = "refresh_token"
      case expiresIn = "expires_in"
    }
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}

extension StoredToken {
  fileprivate static let first = StoredToken(
    accessToken: Secret(String(repeating: "a", count: 180)), expiresAt: Timestamp(secondsSince1970: 4_000_000_000),
    refreshToken: Secret(String(repeating: "r", count: 100)), scopes: ["https://www.googleapis.com/auth/calendar"],
    issuer: "https://accounts.example.com", clientID: "client")
}

/// A transport that immediately issues a new token for every request.
private final class IssuingServer: Transport, Sendable {
  private let issued = Atomic(0)

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let number = issued.add(1, ordering: .relaxed).newValue
    let padding = String(repeating: "a", count: 160)
    let body =
      #"{"access_token":"\#(padding)\#(number)","expires_in":3599,"refresh_token":"r\#(number)","#
      + #""scope":"https://www.googleapis.com/auth/calendar","token_type":"Bearer"}"#
    return HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}
