// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing

/// What is asked of the user's authentication, as parameters of the request.
@Suite struct AuthenticationParametersTests {
  private func parameters(_ requirement: AuthenticationRequirement, over base: AuthorizationParameters = [:])
    -> AuthorizationParameters
  {
    var parameters = base
    parameters.authentication = requirement
    return parameters
  }

  @Test func requirementIsWrittenAndReadBack() {
    let wish = AuthenticationRequirement(maximumAge: .seconds(300), contextClasses: ["gold", "silver"])
    let wished = parameters(wish)
    #expect(wished["max_age"] == "300" && wished["acr_values"] == "gold silver" && wished["claims"] == nil)
    #expect(wished.authentication == wish && wish.isEnforced)
    #expect(!AuthenticationRequirement(contextClasses: ["gold"]).isEnforced)
    let essential = AuthenticationRequirement(contextClasses: ["gold", "silver"], isContextClassEssential: true)
    let required = parameters(essential, over: wished)
    #expect(required["max_age"] == nil && required["acr_values"] == nil)
    #expect(required["claims"] == #"{"id_token":{"acr":{"essential":true,"values":["gold","silver"]}}}"#)
    #expect(required.authentication == essential && essential.isEnforced)
    #expect(parameters(AuthenticationRequirement(), over: required) == [:])
  }

  @Test func otherClaimsAreKept() {
    let base: AuthorizationParameters = ["claims": #"{"id_token":{"email":null},"userinfo":{"name":null}}"#]
    let required = parameters(AuthenticationRequirement(isContextClassEssential: true), over: base)
    #expect(
      required["claims"] == #"{"id_token":{"acr":{"essential":true},"email":null},"userinfo":{"name":null}}"#)
    #expect(parameters(AuthenticationRequirement(), over: required) == base)
  }

  @Test(
    "A requirement counts however it was set",
    arguments: [
      (["max_age": "0"], .init(maximumAge: .zero)), (["acr_values": "a b"], .init(contextClasses: ["a", "b"])),
      (
        ["claims": #"{"id_token":{"acr":{"essential":true,"value":"a"}}}"#],
        .init(contextClasses: ["a"], isContextClassEssential: true)
      ),
      (["claims": #"{"id_token":{"acr":{"values":["a"]}}}"#], .init()), (["claims": "{}"], .init()),
    ] as [(AuthorizationParameters, AuthenticationRequirement)])
  func requirementIsReadFromTheParameters(_ parameters: AuthorizationParameters, _ expected: AuthenticationRequirement)
    async throws
  {
    #expect(parameters.authentication == expected)
    let client = try Fixtures.client(StubTransport())
    let pending = try await client.beginAuthorization(
      scopes: ["openid"], redirectURI: Fixtures.redirect, parameters: parameters)
    #expect(pending.authentication == expected)
  }

  @Test(
    "A requirement that a server would read in another way is refused",
    arguments: [
      ["max_age": "soon"], ["max_age": "-1"], ["max_age": "1.5"], ["claims": "[]"], ["claims": "{"],
      ["claims": #"{"id_token":{},"id_token":{}}"#],
    ] as [AuthorizationParameters])
  func malformedRequirementIsRefused(_ parameters: AuthorizationParameters) async throws {
    let client = try Fixtures.client(StubTransport())
    let error = await #expect(throws: OAuthError.self) {
      try await client.beginAuthorization(
        scopes: ["openid"], redirectURI: Fixtures.redirect, parameters: parameters)
    }
    #expect(error?.code == .invalidConfiguration)
  }
}
