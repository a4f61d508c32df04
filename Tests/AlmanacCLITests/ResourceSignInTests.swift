// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import TestSupport
import Testing
import TokenStore

/// `almanac sign-in --resource` at an API that names an authorization server known to the user.
@Suite(.takesTurns) struct ResourceSignInTests {
  private static let resource = RegisteringServer.resource

  private let harness = RegisteringServer(scopes: ["openid", "email"]).harness()

  private var signedInClient: String? {
    get async throws { try await harness.token()?.clientID }
  }

  @Test(arguments: [[], ["--json"]]) func scopesAPIAndServerArePrintedFirst(_ options: [String]) async throws {
    let result = await harness.run(["sign-in", "--resource", Self.resource] + options)
    #expect(result.status == .success)
    #expect(
      result.errors.hasPrefix(
        """
        This signs in to:
          Scopes: openid email
          API: https://api.invalid/mcp
          Server: https://sandbox.invalid

        """))
  }

  /// A server can name the sign-in page of another one, to receive that one's code.
  @Test func pageOfAnotherServerIsNamed() async throws {
    let server = RegisteringServer()
    server.change("authorization_endpoint", to: "https://login.example/authorize")
    let result = await server.harness().run(["sign-in", "--resource", Self.resource])
    #expect(
      result.errors.contains("\n  Server: https://sandbox.invalid\n  Page: https://login.example\n"),
      "\(result.errors)")
  }

  @Test func clientOfTheEnvironmentIsForOtherServers() async throws {
    let environment = ["ALMANAC_CLIENT_ID": "almanac", "ALMANAC_CLIENT_SECRET": "s3cret"]
    #expect(await harness.run(["sign-in", "--resource", Self.resource], environment: environment).status == .success)
    let registered = try await signedInClient
    #expect(registered != nil && registered != "almanac")
    // Later commands use the registered client.
    #expect(await harness.run(["token"], environment: environment).status == .success)
  }

  @Test func clientOfAnotherServerIsNotUsed() async throws {
    let result = await harness.run(
      "sign-in", "--resource", Self.resource, "--client-id", "almanac", "--issuer", "https://other.example")
    #expect(result.status == .failure)
    #expect(!result.errors.contains("This signs in to"))
    #expect(try await signedInClient == nil)
  }

  /// A call signs in again with the demanded scopes; a challenge that demands no more than was granted is its result.
  @Test(arguments: [(1, AlmanacCLI.ExitStatus.success), (2, .refused)])
  func callMeetsTheChallengesOfItsAPI(_ count: Int, _ status: AlmanacCLI.ExitStatus) async throws {
    _ = await harness.run("sign-in", "--resource", Self.resource)
    let calls = Mutex(0)
    let api = CommandHarness(sharing: harness) { base in
      StubTransport { request in
        guard request.url.absoluteString == "\(Self.resource)/tools" else { return try await base.send(request) }
        let number = calls.withLock { calls in
          calls += 1
          return calls
        }
        guard number <= count else { return HTTPResponse(status: 200, body: Array("done".utf8)) }
        let scope = ["profile", "openid"][number - 1]
        return HTTPResponse(
          status: 403, fields: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="\#(scope)""#])
      }
    }
    let result = await api.run("call", "GET", "\(Self.resource)/tools")
    #expect(result.status == status, "\(result.errors)")
    #expect(result.output == (status == .success ? "done" : ""))
    #expect(calls.withLock { $0 } == 2)
  }

  /// The URL of the Calendar API, as its metadata name it, and the root of Google's APIs.
  @Test func calendarAPIIsFoundByItsOwnURL() async throws {
    var configuration = CommandHarness.configuration
    configuration.registrationAccess = .open
    let harness = CommandHarness(configuration: configuration)
    let scope = "https://www.googleapis.com/auth/calendar.readonly"
    let signedIn = await harness.run("sign-in", "--resource", "https://sandbox.invalid/calendar/v3", "--scope", scope)
    #expect(signedIn.status == .success, "\(signedIn.errors)")
    for command in [["calendars"], ["agenda"], ["call", "GET", "users/me/calendarList"]] {
      let result = await harness.run(command)
      #expect(result.status == .success, "\(command): \(result.errors)")
    }
  }

  /// A token for one API is not sent to another API that names the same server.
  @Test func tokenOfAnotherAPIIsNotKept() async throws {
    var token = StoredToken(accessToken: Secret("other"), issuer: "https://sandbox.invalid", clientID: "almanac")
    token.resources = ["https://calendar.example"]
    try await harness.storage.withExclusiveAccess(to: CommandHarness.record) { [token] slot in
      try await slot.write(token)
    }
    let result = await harness.run(
      "sign-in", "--if-needed", "--resource", Self.resource, "--client-id", "almanac", "--issuer",
      "https://sandbox.invalid")
    #expect(result.status != .success)
    #expect(try await harness.token()?.accessToken == Secret("other"))
  }
}
