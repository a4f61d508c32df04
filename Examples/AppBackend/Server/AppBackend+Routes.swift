// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import TokenStore

// The routes that the app calls with its session.
extension AppBackend {
  /// Calls the provider's API for the session's user.
  func read(_ path: String, _ request: HTTPRequest) async throws -> HTTPResponse {
    guard let route = api.routes[path] else { return .failure(404, "not_found") }
    guard let (session, userID) = await user(of: request) else { return .signInRequired }
    do {
      return .json(try await route(transport(of: userID, in: storage)))
    } catch let error as OAuthError where error.code == .signInRequired {
      // The user withdrew the access at the provider.
      _ = try await sessions.take(session)
      return .signInRequired
    }
  }

  /// Ends a session (RFC 7009).
  ///
  /// An unknown session counts as ended.
  func endSession(_ request: HTTPRequest) async throws -> HTTPResponse {
    let form = request.form
    guard form.only("client_id") == app.clientID else { return .failure(401, "invalid_client") }
    if let token = form.only("token"), case .session = await sessions.record(token) {
      _ = try await sessions.take(token)
    }
    return HTTPResponse(status: 200, fields: ["Cache-Control": "no-store"])
  }

  /// Removes the user's tokens, revokes them if the provider supports it, and ends every session of the user.
  func disconnect(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let (_, userID) = await user(of: request) else { return .signInRequired }
    let account = OAuthAccount(client: client, storage: storage, account: userID, scopes: [])
    if client.server.revocationEndpoint == nil { try await account.signOut() } else { try await account.revoke() }
    try await sessions.removeAll(of: userID)
    return HTTPResponse(status: 204)
  }

  /// Returns a user's transport to the provider's API.
  ///
  /// Callers share one refresh, and the token is sent to no other origin.
  func transport(of userID: String, in storage: some TokenStorage) -> any Transport {
    transport.authorized(
      by: RefreshingTokenSource(client: client, storage: storage, account: userID),
      for: [api.url])
  }

  /// Returns the session and its user for the token in the header field.
  ///
  /// Cookies are ignored, which prevents cross-site requests.
  private func user(of request: HTTPRequest) async -> (session: String, userID: String)? {
    guard let field = request.fields["Authorization"], field.lowercased().hasPrefix("bearer ") else { return nil }
    let token = String(field.dropFirst("bearer ".count))
    guard case .session(let userID) = await sessions.record(token) else { return nil }
    return (token, userID)
  }
}
