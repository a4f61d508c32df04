// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import Foundation
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// The client that `almanac sign-in --resource` registers, stores and removes.
@Suite(.takesTurns) struct RegisteredClientTests {
  private let server = RegisteringServer()
  private let signIn = ["sign-in", "--resource", RegisteringServer.resource]

  private func client(of harness: CommandHarness) async throws -> String? {
    try await harness.run("status", "--json").json["clientID"]?.string
  }

  @Test func clientThatTheServerForgotIsRegisteredAnewAtTheNextSignIn() async throws {
    let harness = server.harness()
    let first = await harness.run(signIn)
    #expect(first.status == .success, "\(first.errors)")
    #expect(try await client(of: harness) == server.clients[0])
    #expect(await harness.run(signIn).status == .success)
    #expect(server.clients.count == 1, "the server knows it")

    try await server.forget()
    let again = await harness.run("sign-in")
    #expect(again.status == .success, "\(again.errors)")
    #expect(server.clients.count == 2 && again.errors.contains("forgotten"))
    #expect(try await client(of: harness) == server.clients[1])
    #expect(try await harness.token()?.clientID == server.clients[1])
    #expect(await harness.run("call", "GET", RegisteringServer.resource).status == .success)
  }

  @Test func oldRegistrationStaysUntilTheNewSignInHasSucceeded() async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    try await server.forget()
    let console = ScriptedConsole { [sandbox = harness.sandbox] errors in
      let line = try #require(errors.split(separator: "\n").last { $0.hasPrefix("http") })
      return try sandbox.approve(try #require(URL(string: String(line))), deny: true).absoluteString
    }
    #expect(await harness.run(["sign-in", "--no-browser"], console: console).status == .accessDenied)
    #expect(server.clients.count == 2, "once in a sign-in")
    #expect(try await client(of: harness) == server.clients[0])
    #expect(await harness.run("sign-in", "--if-needed").status == .success, "the old token is still valid")
    #expect(server.clients.count == 2)

    let again = await harness.run("sign-in")
    #expect(again.status == .success && again.errors.contains("forgotten"), "the command still knows it as its own")
    #expect(server.clients.count == 3)
  }

  @Test func clientThatTheUserNamedIsNotRegisteredAnew() async throws {
    let harness = server.harness()
    let result = await harness.run(signIn + ["--client-id", "gone", "--issuer", "https://sandbox.invalid", "--json"])
    #expect(result.status != .success)
    #expect(server.clients.isEmpty)
  }

  @Test func refreshThatTheServerRefusesToTheClientLeadsToANewOne() async throws {
    let harness = server.harness { $0.accessTokenLifetime = .zero }
    #expect(await harness.run(signIn).status == .success)
    try await server.forget()
    #expect(await harness.run("sign-in", "--if-needed").status == .success)
    #expect(server.clients.count == 2)
  }

  @Test func otherCommandLeadsToASignIn() async throws {
    let harness = server.harness { $0.accessTokenLifetime = .zero }
    #expect(await harness.run(signIn).status == .success)
    try await server.forget()
    let result = await harness.run("token", "--json")
    #expect(result.status == .signInRequired)
    #expect(result.error?["message"]?.string?.contains("almanac sign-in") == true)
    #expect(server.clients.count == 1, "no user asked for it")
  }

  @Test func refusedRevocationLeadsToLocal() async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    try await server.forget()
    let refused = await harness.run("revoke")
    #expect(refused.status == .refused)
    #expect(refused.errors.contains("almanac revoke --local --forget-client --account default"), "\(refused.errors)")
    #expect(try await harness.token() != nil)
    let local = await harness.run("revoke", "--local", "--forget-client")
    #expect(local.status == .success, "\(local.errors)")
    #expect(try await harness.token() == nil)
    #expect(await harness.run("sign-in").errors.contains("No client is known"))
    #expect(!FileManager.default.fileExists(atPath: file(of: harness)))
  }

  @Test func forgettingDeletesTheRegistrationAtTheServer() async throws {
    let harness = server.harness()
    #expect(await harness.run(signIn).status == .success)
    let revoked = await harness.run("revoke")
    #expect(revoked.status == .success, "\(revoked.errors)")
    #expect(try await client(of: harness) == server.clients[0], "the client stays without --forget-client")
    let forgotten = await harness.run("revoke", "--forget-client")
    #expect(forgotten.status == .success && forgotten.errors.isEmpty, "\(forgotten.errors)")
    await #expect(throws: URLError.self) { try await server.forget() }
  }

  private func file(of harness: CommandHarness) -> String {
    harness.home + "/.local/share/almanac/clients/default.json"
  }

  @Test(arguments: ["client_secret_basic", "client_secret_post", "client_secret_jwt"])
  func registrationFollowsTheServersListAndKeepsTheSecret(_ method: String) async throws {
    let server = RegisteringServer(methods: [method, "private_key_jwt"])
    let harness = server.harness { $0.accessTokenLifetime = .zero }
    let result = await harness.run(signIn)
    #expect(result.status == .success, "\(result.errors)")
    #expect(server.authentications == [method])
    let token = await harness.run("token")
    #expect(token.status == .success, "a refresh needs the secret: \(token.errors)")
    let attributes = try FileManager.default.attributesOfItem(atPath: file(of: harness))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let settings = try String(contentsOfFile: harness.home + "/almanac/default.json", encoding: .utf8)
    #expect(!settings.contains("client_secret\""))
  }
}
