// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
// Sign in at another provider than Google in an app for iOS, and read who the user is there by a typed call.
//
// It replaces what Snippets/OtherProvider.swift replaces on macOS and Linux. The provider is one that takes apps as clients
// without a secret: a secret in an app is none, since every user can read it. It needs Apple's frameworks, so that
// Scripts/typecheck-apple checks it instead of the build.
import HTTPTransport
import OAuthCore
import OAuthUserAgents
import TokenStore

struct Member: Decodable {
  let id: String, displayName: String, givenName: String?, surname: String?
}

/// - Parameters:
///   - redirectURI: The one that is registered, with a scheme of the app's own: `msauth.com.example.app://auth`.
///   - api: The server that gets the token: `https://graph.microsoft.com`.
func signIn(redirectURI: URL, api: URL) async throws -> Member {
  let client = try OAuthClient(
    provider: .microsoft(tenant: "11111111-2222-3333-4444-555555555555"),
    registration: ClientRegistration(clientID: "66666666-7777-8888-9999-000000000000"),
    transport: DefaultTransport().retrying())
  let account = OAuthAccount(
    client: client, storage: KeychainTokenStorage(), account: "me", scopes: ["offline_access", "User.Read"],
    userAgent: try WebAuthenticationUserAgent(redirectURI: redirectURI) { .keyWindow })

  try await account.authorize()
  return try await account.transport(for: api).call(.get, api.appending(path: "v1.0/me"))
}
