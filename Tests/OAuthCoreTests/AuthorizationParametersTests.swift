// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

@Suite struct AuthorizationParametersTests {
  private func query(
    of provider: Provider, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil,
    parameters: AuthorizationParameters = [:]
  ) async throws -> FormFields {
    let client = try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: "app"), transport: StubTransport())
    let pending = try await client.beginAuthorization(
      scopes: ["openid", "b"], redirectURI: Fixtures.redirect, prompt: prompt, loginHint: loginHint,
      parameters: parameters)
    return pending.query
  }

  @Test func standardParametersAreSentUnderTheirNames() async throws {
    var parameters: AuthorizationParameters = ["hd": "example.com"]
    parameters.maximumAge = .seconds(90)
    parameters.uiLocales = ["es", "en"]
    parameters.acrValues = ["gold"]
    let query = try await query(
      of: .gitLab, prompt: [.login, .selectAccount], loginHint: "ada@example.com", parameters: parameters)
    #expect(query["prompt"] == "login select_account")
    #expect(query["login_hint"] == "ada@example.com")
    #expect(query["max_age"] == "90")
    #expect(query["ui_locales"] == "es en")
    #expect(query["acr_values"] == "gold")
    #expect(query["hd"] == "example.com")
  }

  @Test func endlessMaximumAgeIsTheLongest() {
    var parameters: AuthorizationParameters = [:]
    parameters.maximumAge = .seconds(1e19)
    #expect(parameters["max_age"] == "\(Int64.max)")
  }

  @Test func standardParametersAreReadBack() {
    let parameters: AuthorizationParameters = [
      "prompt": "consent custom", "max_age": "x", "ui_locales": "es  en", "login_hint": "ada",
    ]
    #expect(parameters.prompt == [.consent, AuthorizationParameters.Prompt(rawValue: "custom")])
    #expect(parameters.maximumAge == nil)
    #expect(parameters.uiLocales == ["es", "en"])
    #expect(parameters.loginHint == "ada")
    #expect(parameters == parameters.merging([:]))
    #expect(!"\(parameters)".contains("ada"))
  }

  @Test(
    arguments: [
      ([.selectAccount], "consent select_account", "the consent that the provider needs is kept"),
      ([.consent], "consent", "once is enough"),
      ([.none], "none", "none stands alone"),
      ([], "consent", ""),
    ] as [([AuthorizationParameters.Prompt], String, String)])
  func promptIsAddedToThatOfTheProvider(
    _ prompt: [AuthorizationParameters.Prompt], _ sent: String, _ reason: String
  ) async throws {
    #expect(try await query(of: .google, prompt: prompt)["prompt"] == sent, "\(reason)")
  }

  @Test func callersParameterReplacesTheProviders() async throws {
    let query = try await query(of: .google, parameters: ["access_type": "online"])
    #expect(query.values(for: "access_type") == ["online"])
  }

  @Test func accountPassesPromptAndHintOn() async throws {
    let account = OAuthAccount(
      client: try OAuthClient(
        provider: .google, registration: ClientRegistration(clientID: "app"), transport: StubTransport()),
      storage: InMemoryTokenStorage(), account: "me", scopes: ["a"], parameters: ["hd": "example.com"])
    let pending = try await account.beginSignIn(
      redirectURI: Fixtures.redirect, prompt: [.selectAccount], loginHint: "ada", parameters: ["ui_locales": "fr"])
    let query = pending.query
    #expect(query["ui_locales"] == "fr")
    #expect(query["prompt"] == "consent select_account")
    #expect(query["login_hint"] == "ada")
    #expect(query["hd"] == "example.com")
    #expect(query["access_type"] == "offline")
  }
}
