// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import Timekeeping
import TokenStore

/// A backend that signs in an app's users at a provider whose client secret does not belong in an app, and calls its API for
/// them.
///
/// To the app, it is an authorization server with the app as its only client ([RFC
/// 6749](https://www.rfc-editor.org/rfc/rfc6749.html), with PKCE). To the provider, it is a client with a secret. The provider's
/// tokens never leave the backend. The app gets a token of the backend, which is valid only for the backend's JSON routes.
struct AppBackend: Sendable {
  /// The app, a client without a secret.
  struct App: Sendable {
    let clientID: String
    /// The only URL to which codes are sent.
    ///
    /// Another app cannot claim an https URL of the app's associated domain.
    let redirectURI: String
  }

  /// The part of the provider's API that the app needs.
  struct API: Sendable {
    typealias Route = @Sendable (_ http: any Transport) async throws -> any Encodable & Sendable

    let url: URL
    let scopes: [Scope]
    /// Reads the permanent identifier of the user whose token `http` presents.
    ///
    /// The response can be trusted because the backend itself exchanged the code. A token from another source does not identify a
    /// user. If the provider supports OpenID Connect, compare the subject of the verified ID token as well.
    let userID: @Sendable (_ http: any Transport) async throws -> String
    /// The provider's URLs that the app may read, by their path at the backend.
    let routes: [String: Route]
  }

  /// The public URL of the backend, which is also its issuer identifier.
  let publicURL: URL
  let app: App
  let api: API
  let client: OAuthClient
  let storage: any TokenStorage
  let sessions: Sessions
  let transport: any Transport

  /// - Parameter transport: The transport to the provider.
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  init(
    publicURL: URL, app: App, provider: Provider, registration: ClientRegistration, api: API,
    storage: some TokenStorage,
    sessions: Sessions, transport: some Transport, clock: some WallClock = SystemClock()
  ) throws {
    self.publicURL = publicURL
    self.app = app
    self.api = api
    client = try OAuthClient(provider: provider, registration: registration, transport: transport, clock: clock)
    self.storage = storage
    self.sessions = sessions
    self.transport = transport
  }

  /// Serves on a loopback address until the server is stopped.
  ///
  /// Put a proxy in front that terminates TLS and limits requests.
  func serve(port: Int) async throws -> LoopbackServer {
    try await LoopbackServer.start(port: port) { await respond(to: $0) }
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      switch (request.method, request.url.path()) {
      case (.get, "/authorize"): return try await authorize(request)
      case (.get, "/callback"): return try await completeSignIn(request)
      case (.post, "/token"): return try await exchangeCode(request)
      case (.post, "/revoke"): return try await endSession(request)
      case (.delete, "/account"): return try await disconnect(request)
      case (.get, let path): return try await read(String(path.dropFirst()), request)
      default: return .failure(404, "not_found")
      }
    } catch {
      // The message of a library error contains no secrets and can be logged.
      return .failure(502, "temporarily_unavailable")
    }
  }
}
