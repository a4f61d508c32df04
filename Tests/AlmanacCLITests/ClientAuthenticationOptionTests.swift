// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import Foundation
import JSONCoding
import OAuthJOSE
import TestSupport
import Testing
import TokenStore

/// `--client-auth`, and a sign-in's output about the token's lifetime.
@Suite(.takesTurns) struct ClientAuthenticationOptionTests {
  private static let secret = Secret("a secret of more than thirty-two bytes")
  private static let client = "confidential"

  private func harness(_ authentication: Sandbox.Client.Authentication) -> CommandHarness {
    var configuration = CommandHarness.configuration
    configuration.clients.append(
      Sandbox.Client(
        id: Self.client, name: "Confidential", redirectURIs: ["http://127.0.0.1/callback"],
        authentication: authentication))
    return CommandHarness(configuration: configuration)
  }

  private func signIn(_ harness: CommandHarness, _ options: [String]) async -> CommandHarness.Result {
    await harness.run(
      ["sign-in", "--issuer", "https://sandbox.invalid", "--client-id", Self.client, "--scope", "email"] + options,
      environment: ["ALMANAC_CLIENT_SECRET": Self.secret.reveal()])
  }

  @Test(
    arguments: [
      ("client_secret_basic", .clientSecretBasic(secret)), ("client_secret_post", .clientSecretPost(secret)),
      ("client_secret_jwt", .clientSecretJWT(secret)), ("client_secret_basic_unencoded", .clientSecretBasic(secret)),
      ("none", .none),
    ] as [(String, Sandbox.Client.Authentication)])
  func clientAuthenticatesByTheNamedMethod(_ method: String, _ expected: Sandbox.Client.Authentication) async throws {
    let harness = harness(expected)
    let result = await signIn(harness, ["--client-auth", method])
    #expect(result.status == .success, "\(result.errors)")
    // The next sign-in uses the same method.
    #expect(await signIn(harness, []).status == .success)
  }

  @Test func privateKeyIsReadFromAFile() async throws {
    let key = try SigningKey.generate(.es256)
    let harness = harness(.privateKeyJWT(JWKSet([key.publicJWK])))
    let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try key.revealPEM().write(toFile: path, atomically: true, encoding: .utf8)
    let result = await signIn(harness, ["--client-key-file", path])
    #expect(result.status == .success, "\(result.errors)")
    #expect(await signIn(harness, []).status == .success)
  }

  @Test func secretFileOfAnotherClientIsNotUsed() async throws {
    var configuration = CommandHarness.configuration
    for id in [Self.client, "other"] {
      configuration.clients.append(
        Sandbox.Client(
          id: id, name: id, redirectURIs: ["http://127.0.0.1/callback"],
          authentication: .clientSecretBasic(Self.secret)))
    }
    let harness = CommandHarness(configuration: configuration)
    let path = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Self.secret.reveal().write(toFile: path, atomically: true, encoding: .utf8)
    func signIn(_ client: String, _ options: String...) async -> CommandHarness.Result {
      await harness.run(
        ["sign-in", "--issuer", "https://sandbox.invalid", "--client-id", client, "--scope", "email"] + options)
    }
    #expect(await signIn(Self.client, "--client-secret-file", path).status == .success)
    #expect(await signIn(Self.client).status == .success)
    #expect(await signIn("other").status == .refused)
  }
}
