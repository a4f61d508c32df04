// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

@Suite struct SeedClientTests {
  private static let keys =
    #"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#

  private func client(_ members: String) throws -> Sandbox.Client {
    let json = #"{"users":[{"email":"a@example.com"}],"clients":[{"id":"c",\#(members)}]}"#
    return try #require(try Sandbox.Seed(json: Array(json.utf8)).clients.first)
  }

  @Test func methodIsAsTheSeedSays() throws {
    let long = "0123456789abcdef0123456789abcdef"
    let keys = try JWKSet(json: Array(Self.keys.utf8))
    let expected: [(String, Sandbox.Client.Authentication)] = [
      (#""name":"n""#, .none), (#""authentication":"none""#, .none), (#""secret":"s""#, .clientSecret(Secret("s"))),
      (#""secret":"s","authentication":"client_secret_basic""#, .clientSecretBasic(Secret("s"))),
      (#""secret":"s","authentication":"client_secret_post""#, .clientSecretPost(Secret("s"))),
      (#""secret":"\#(long)","authentication":"client_secret_jwt""#, .clientSecretJWT(Secret(long))),
      (#""jwks":\#(Self.keys)"#, .privateKeyJWT(keys)),
      (#""jwks":\#(Self.keys),"authentication":"private_key_jwt""#, .privateKeyJWT(keys)),
      (#""jwks":\#(Self.keys),"requiresSignedRequests":true"#, .privateKeyJWT(keys)),
      (#""certificate":"AQID","authentication":"tls_client_auth""#, .tlsClientCertificate([1, 2, 3])),
    ]
    for (members, authentication) in expected { #expect(try client(members).authentication == authentication) }
  }

  @Test(arguments: [
    (#""authentication":"odd""#, "authentication is not a supported method"),
    (#""authentication":"client_secret_post""#, "authentication requires secret and no other credential"),
    (#""secret":"s","authentication":"private_key_jwt""#, "authentication requires jwks and no other credential"),
    (#""secret":"s","authentication":"none""#, "authentication requires a client without credentials"),
    (#""secret":"s","certificate":"AQID""#, "authentication is missing"),
    (#""secret":"s","authentication":"client_secret_jwt""#, "secret must have at least 32 bytes"),
    (#""jwks":{"keys":[]}"#, "jwks must be a JWK set"), (#""certificate":"?""#, "certificate must be DER bytes"),
    (#""requiresSignedRequests":true"#, "requestObjectKeys is missing"),
  ])
  func mistakesAreNamed(_ members: String, _ problem: String) throws {
    let error = try #require(throws: SandboxError.self) { try client(members) }
    #expect(error.message.contains("clients[0].\(problem)"), "\(error)")
  }

  @Test func clientWithAKeyAuthenticates() async throws {
    let key = try SigningKey.generate(.es256)
    var members: [String: JSONValue] = key.publicJWK.parameters.mapValues { .string($0) }
    members["kty"] = .string(key.publicJWK.keyType.rawValue)
    members["kid"] = key.publicJWK.keyID.map { .string($0) }
    let set = JSONValue.object(["keys": [.object(members)]])
    let seed = JSONValue.object([
      "users": [["email": "a@example.com"]], "clients": [["id": "service", "jwks": set]],
    ])
    let harness = try SandboxHarness {
      $0.use(try Sandbox.Seed(json: seed.json()))
    }
    let client = try OAuthClient(
      provider: harness.sandbox.provider(at: URL(literal: "https://sandbox.example/")),
      registration: ClientRegistration(clientID: "service", authentication: .privateKeyJWT(key)),
      transport: harness.transport, clock: harness.clock)
    let tokens = ClientCredentials(client: client, scopes: [Scope(SandboxHarness.calendarScope)])
    #expect(try await tokens.accessToken().scopes == [Scope(SandboxHarness.calendarScope)])
  }

  /// The example of the documentation has every member, and is a seed.
  @Test func exampleOfTheDocumentationIsASeed() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Documentation/Testing.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## The seed").last)
    let text = try #require(
      section.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
    let seed = try Sandbox.Seed(json: Array(text.utf8))
    #expect(seed.clients.map(\.id) == ["web-app", "desktop-app", "service"] && seed.users.count == 2)
    for name in try Self.memberNames() { #expect(section.contains("`\(name)`"), "\(name) is not explained") }
  }

  /// The names of members that the sources read.
  private static func memberNames() throws -> Set<String> {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources/AlmanacSandbox/Configuration")
    var names: Set<String> = []
    for file in ["Sandbox+Seed.swift", "Sandbox+SeedClient.swift", "Sandbox+User.swift"] {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /members\.[a-zA-Z]+\("([a-zA-Z]+)"/) where match.1 != "fault" {
        names.insert(String(match.1))
      }
    }
    #expect(names.count > 20)
    return names
  }
}
