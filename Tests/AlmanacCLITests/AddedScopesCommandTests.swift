// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import TokenStore

/// `almanac sign-in` with other scopes than the last sign-in.
@Suite(.takesTurns) struct AddedScopesCommandTests {
  /// The user of Google's page.
  private final class User: Sendable {
    private struct State {
      var refused: Set<Scope> = []
      var pages: [FormFields] = []
    }

    private let state = Mutex(State())

    /// The requests of the pages that were shown.
    var pages: [FormFields] { state.withLock { $0.pages } }
    /// The scopes of the last page.
    var scopes: [Scope] { pages.last?["scope"].map { [Scope](parameter: $0) } ?? [] }

    func refuse(_ scopes: Scope...) { state.withLock { $0.refused = Set(scopes) } }

    func userAgent(of sandbox: Sandbox) -> ScriptedUserAgent {
      ScriptedUserAgent { [self] pending in
        let refused = state.withLock { state in
          state.pages.append(FormEncoding.form.decode(pending.authorizationURL.query(percentEncoded: true) ?? ""))
          return state.refused
        }
        let granted = Set(scopes).subtracting(refused)
        return try sandbox.approve(pending.authorizationURL, granting: granted)
      }
    }
  }

  private static let calendar = Scope.calendar
  private static let readOnly = Scope.calendarReadOnly

  private let user = User()
  private let harness: CommandHarness

  /// Makes a program for the sandbox with Google's URLs and scope names.
  init() {
    var configuration = Sandbox.Configuration()
    configuration.dialect.authorizationPath = "/o/oauth2/v2/auth"
    configuration.clients[0].googleBehaviors = [.longScopeNames]
    harness = CommandHarness(
      configuration: configuration,
      transport: { base in
        StubTransport { request in
          var request = request
          if request.url.path() == "/oauth2/v3/certs" {
            request.url = Sandbox.inProcessURL.appending(path: "jwks.json")
          }
          return try await base.send(request)
        }
      }, userAgent: user.userAgent)
  }

  private func signIn(_ scope: String? = nil, _ options: String...) async -> CommandHarness.Result {
    await harness.run(
      ["sign-in", "--provider", "google", "--provider-url", "https://sandbox.invalid", "--client-id", "almanac"]
        + (scope.map { ["--scope", $0] } ?? []) + options)
  }

  @Test func addedScopeSignsInTheSameUserForAllScopes() async throws {
    #expect(await signIn("openid email calendar.readonly").status == .success)
    for _ in 1...3 {
      let result = await signIn("openid calendar", "--if-needed")
      #expect(result.status == .success, "\(result.errors)")
    }
    #expect(user.pages.count == 2)
    #expect(user.scopes == ["openid", Self.calendar, "email", Self.readOnly])
    #expect(user.pages.map { $0["login_hint"] } == [nil, "person@example.com"])
    // A sign-in without scopes requests all of them again.
    #expect(await signIn().status == .success)
    #expect(Set(user.scopes) == ["openid", "email", Self.calendar, Self.readOnly])
  }

  @Test(arguments: [
    ("openid calendar", "openid calendar.readonly", "the part of a wider scope"),
    ("openid userinfo.email", "openid email", "another name"),
  ])
  func scopeThatGoogleHasGrantedNeedsNoPage(_ first: String, _ second: String, _ reason: String) async {
    #expect(await signIn(first).status == .success)
    let result = await signIn(second, "--if-needed")
    #expect(result.status == .success, "\(result.errors)")
    #expect(user.pages.count == 1, "\(reason)")
  }

  @Test func refusedScopeDoesNotBringThePageBack() async throws {
    #expect(await signIn("openid calendar.readonly").status == .success)
    user.refuse(Self.calendar)
    for _ in 1...3 {
      let result = await signIn("openid calendar", "--if-needed")
      #expect(result.status == .success && result.errors.contains("Not granted: \(Self.calendar)"))
    }
    #expect(user.pages.count == 2)
    #expect(try await harness.token()?.scopes == ["openid", Self.readOnly])
  }

  @Test func scopesThatWereNamedReplaceTheFormerOnes() async {
    #expect(await signIn("openid calendar").status == .success)
    #expect(await signIn("openid calendar.readonly").status == .success)
    #expect(await signIn().status == .success)
    #expect(user.scopes == ["openid", Self.readOnly])
  }

  @Test func grantedScopesReplaceMissingRequestedScopes() async throws {
    #expect(await signIn("openid email").status == .success)
    try await harness.storage.withExclusiveAccess(to: CommandHarness.record) { slot in
      var token = try #require(try await slot.read())
      token.requestedScopes = nil
      token.scopes.append(Self.readOnly)
      try await slot.write(token)
    }
    #expect(await signIn().status == .success)
    #expect(user.scopes == ["openid", "email", Self.readOnly])
  }

  /// OpenID Connect Core § 11: a server ignores `offline_access` without consent.
  @Test func consentIsRequestedIfAFormerScopeNeedsIt() async throws {
    let prompts = Mutex<[String?]>([])
    let harness = CommandHarness(userAgent: { sandbox in
      ScriptedUserAgent { pending in
        var page = try #require(URLComponents(url: pending.authorizationURL, resolvingAgainstBaseURL: false))
        prompts.withLock { $0.append(page.queryItems?.first { $0.name == "prompt" }?.value) }
        // The sandbox has no such scope.
        page.percentEncodedQuery = page.percentEncodedQuery?.replacing(/(%20|\+)offline_access/, with: "")
        return try sandbox.approve(try #require(page.url))
      }
    })
    for (scope, options) in [("openid offline_access", []), ("openid email", ["--if-needed"])] {
      let result = await harness.run(CommandHarness.signIn(scope: scope) + options)
      #expect(result.status == .success, "\(result.errors)")
    }
    #expect(prompts.withLock { $0 } == ["consent", "consent"])
    #expect(
      try await harness.token()?.requestedScopes == ["openid", "email", "offline_access"])
  }
}
