// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import TokenStore

nonisolated struct Member: Decodable, Equatable {
  let id: String, name: String, city: String, country: String
}

/// The app's sign-in at its own server, without a secret or a token of Meetup's.
nonisolated struct Membership: Sendable {
  let account: OAuthAccount
  private let server: URL

  init(server: URL, transport: some Transport, storage: some TokenStorage, userAgent: some UserAgent) throws {
    let provider = Provider(
      name: "Example",
      server: ServerMetadata(
        issuer: server.absoluteString, authorizationEndpoint: server.appending(path: "authorize"),
        tokenEndpoint: server.appending(path: "token")
      ) {
        $0.revocationEndpoint = server.appending(path: "revoke")
        $0.authorizationResponseIssParameterSupported = true
        $0.tokenEndpointAuthMethodsSupported = ["none"]
      })
    let client = try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: "app"), transport: transport)
    account = OAuthAccount(client: client, storage: storage, account: "me", scopes: [], userAgent: userAgent)
    self.server = server
  }

  /// Returns the member, after a sign-in at Meetup if the app has no valid session.
  func member() async throws -> Member {
    try await account.authorize()
    let member = server.appending(path: "member")
    do {
      return try await account.transport(for: server).call(.get, member)
    } catch let error as OAuthError where error.code == .signInRequired {
      // The server ended the session: the user disconnected on another device, or withdrew the access at Meetup.
      try await account.signIn()
      return try await account.transport(for: server).call(.get, member)
    }
  }

  /// Ends the app's session.
  func signOut() async throws { try await account.revoke() }

  /// Removes Meetup's tokens from the server, and ends every session of the user.
  func disconnect() async throws {
    try await account.transport(for: server).call(.delete, server.appending(path: "account"))
    try await account.signOut()
  }
}
