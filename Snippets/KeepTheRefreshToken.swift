// SPDX-License-Identifier: Apache-2.0

// Sign in to a server again without a request for consent, and keep the stored refresh token.
//
// It runs unchanged, with the sandbox in this process. For Google, begin with `Provider.google`.
import Almanac
import AlmanacSandbox
import Foundation

let sandbox = Sandbox {
  $0.user.subject = "ana"
  $0.issuesRefreshTokens = false  // like Google without consent
}
let transport = sandbox.transport()
let storage = InMemoryTokenStorage()

var provider = sandbox.provider()
provider.authorizationParameters = ["access_type": "offline", "prompt": "select_account"]
let client = try OAuthClient(
  provider: provider, registration: ClientRegistration(clientID: Sandbox.Client.native.id), transport: transport)
let verifier = IDTokenVerifier(client: client, transport: transport)

func signIn() async throws -> StoredToken? {
  guard let redirectURI = URL(string: "http://127.0.0.1/callback") else { return nil }
  let pending = try await client.beginAuthorization(scopes: [.openID], redirectURI: redirectURI)
  let callback = try sandbox.approve(pending.authorizationURL)
  let token = try await client.completeAuthorization(pending, callback: callback)
  let user = try await verifier.claims(of: token, for: pending)
  return try await storage.withExclusiveAccess(to: user.subject) { slot in
    var token = token
    if token.refreshToken == nil { token.refreshToken = try await slot.read()?.refreshToken }
    try await slot.write(token)
    return token
  }
}

// The first sign-in, with consent.
try await storage.withExclusiveAccess(to: "ana") {
  try await $0.write(StoredToken(accessToken: Secret("expired"), refreshToken: Secret("kept")))
}
print(try await signIn()?.refreshToken?.reveal() ?? "none")
