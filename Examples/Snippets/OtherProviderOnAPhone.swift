// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
// Sign in to a provider other than Google in an iOS app, and read the user's profile by a typed call.
//
// It is the counterpart of Snippets/OtherProvider.swift for macOS and Linux. The provider supports clients without a secret:
// every user can read a secret in an app. It needs Apple's frameworks: Tools/AppleStubs/typecheck-apple checks it instead of the build.
import HTTPTransport
import OAuthCore
import OAuthUserAgents
import TokenStore

struct Member: Decodable {
  let id: String, displayName: String, givenName: String?, surname: String?
}

/// - Parameters:
///   - redirectURI: The registered redirect URI, with a custom scheme of the app: `msauth.com.example.app://auth`.
///   - api: The server that receives the token: `https://graph.microsoft.com`.
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
