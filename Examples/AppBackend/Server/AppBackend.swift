// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import Timekeeping
import TokenStore

/// A backend that signs an app's users in at a provider whose secret does not belong in an app, and calls its API for them.
///
/// To the app it is an authorization server with the app as its one client ([RFC 6749](https://www.rfc-editor.org/rfc/rfc6749.html),
/// with PKCE). To the provider it is a client with a secret. The provider's tokens never leave it: the app gets a token of the
/// backend's, which opens the backend's JSON routes and nothing else.
struct AppBackend: Sendable {
  /// The app: a client without a secret.
  struct App: Sendable {
    let clientID: String
    /// The only URL that codes are sent to.
    ///
    /// An https URL of a domain that belongs to the app cannot be claimed by another app.
    let redirectURI: String
  }

  /// The provider's API, as far as the app needs it.
  struct API: Sendable {
    typealias Route = @Sendable (_ http: any Transport) async throws -> any Encodable & Sendable

    let url: URL
    let scopes: [String]
    /// Reads the permanent identifier of the user whose token `http` presents.
    ///
    /// The answer is to be trusted because the backend itself has exchanged the code. A token from elsewhere identifies no one. At a
    /// provider of OpenID Connect, compare the subject of the verified ID token as well.
    let userID: @Sendable (_ http: any Transport) async throws -> String
    /// The provider's URLs that the app may read, by the path of the backend's URL.
    let routes: [String: Route]
  }

  /// The URL at which browsers and the app reach the backend, also its name as an issuer.
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
  /// A proxy in front of it ends TLS and limits requests.
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
      // Every error of the library has a message without secrets; it is for the log.
      return .failure(502, "temporarily_unavailable")
    }
  }
}
