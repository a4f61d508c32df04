// SPDX-License-Identifier: Apache-2.0

// Test a server with several users and a client secret, without a network.
import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation

let clock = ManualClock(skipsWaits: true)
let sandbox = Sandbox(clock: clock) {
  $0.user = Sandbox.User(subject: "1", email: "ana@example.com")
  $0.otherUsers = [Sandbox.User(subject: "2", email: "bo@example.com")]
  $0.clients = [
    Sandbox.Client(
      id: "web", name: "Web", redirectURIs: ["https://app.example/callback"],
      authentication: .clientSecret(Secret("a-secret")))
  ]
}
let transport = sandbox.transport()
let client = try OAuthClient(
  provider: sandbox.provider(), registration: ClientRegistration(clientID: "web", secret: Secret("a-secret")),
  transport: transport, clock: clock)
let verifier = IDTokenVerifier(client: client, transport: transport, clock: clock)

func signIn(as user: String) async throws -> String {
  guard let redirectURI = URL(string: "https://app.example/callback") else { return "" }
  let pending = try await client.beginAuthorization(scopes: [.openID, .email], redirectURI: redirectURI)
  let callback = try sandbox.approve(pending.authorizationURL, as: user)
  let token = try await client.completeAuthorization(pending, callback: callback)
  return try await verifier.claims(of: token, for: pending).subject
}

print(try await signIn(as: "ana@example.com"), try await signIn(as: "bo@example.com"))
