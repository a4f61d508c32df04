// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// Responses with an error's code, and with both a token and an error.
@Suite struct ErrorResponseTests {
  @Test func codeOfASpecificationIsShown() async throws {
    let clock = ManualClock()
    let client = try Fixtures.client(
      StubTransport(Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)), clock: clock)
    let error = await #expect(throws: OAuthError.self) {
      try await client.refresh(Fixtures.expired(clock, refreshToken: "is_invalid_grant_here"))
    }
    #expect(error?.code == .signInRequired && error?.serverCode == "invalid_grant")
  }

  /// A token that was given is not thrown away for an error beside it: the refresh token is spent.
  @Test(arguments: [
    #"{"access_token":"a","error":"invalid_grant"}"#, #"{"error":"invalid_grant","access_token":"a"}"#,
    #"{"access_token":"a","error":"server_error","error_description":"x"}"#,
  ])
  func tokenBesideAnErrorIsAToken(_ body: String) async throws {
    let clock = ManualClock()
    let client = try Fixtures.client(StubTransport(Fixtures.json(body)), clock: clock)
    let token = try await client.refresh(Fixtures.expired(clock))
    #expect(token.accessToken == Secret("a") && token.refreshToken == Secret("refresh-1"))
  }

  @Test func tokenBesideAnErrorInAFormIsAToken() async throws {
    let clock = ManualClock()
    let response = HTTPResponse(
      status: 200, fields: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array("access_token=a&error=invalid_grant".utf8))
    let client = try Fixtures.client(StubTransport(response), clock: clock)
    #expect(try await client.refresh(Fixtures.expired(clock)).accessToken == Secret("a"))
  }

  @Test(arguments: [
    (#"{"error":"invalid_grant"}"#, 200, OAuthError.Code.signInRequired),
    (#"{"error":"invalid_grant"}"#, 400, .signInRequired), (#"{"access_token":"a"}"#, 300, .invalidResponse),
  ])
  func errorIsOneWithAnyStatus(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    let clock = ManualClock()
    var response = Fixtures.json(body)
    response.status = status
    let client = try Fixtures.client(StubTransport(response), clock: clock)
    let error = try await #require(throws: OAuthError.self) { try await client.refresh(Fixtures.expired(clock)) }
    #expect(error.code == code, "\(error)")
  }
}
