// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// The parts of a server's text that may be shown, and responses with both a token and an error.
@Suite struct ServerTextTests {
  @Test(arguments: [
    // One secret begins another: nothing is left of the longer one.
    (["token", "token-and-more"], "a token-and-more b", "a <redacted> b"),
    (["token-and-more", "token"], "a token-and-more b", "a <redacted> b"),
    (["token", "token-and-more"], "token token-and-more", "<redacted> <redacted>"),
    (["more", "token-and-more", "and"], "token-and-more", "<redacted>"),
    // As a form has it.
    (["a b/c="], "x=a+b%2Fc%3D", "x=<redacted>"), (["s3cret"], "s3crets3cret", "<redacted><redacted>"),
    (["abc"], "abc", "abc"), (["abcd"], "abcd", "<redacted>"), ([], "abcd", "abcd"), ([""], "abcd", "abcd"),
  ])
  func secretsAreHiddenWhole(_ secrets: [String], _ text: String, _ shown: String) {
    #expect(ServerText.shown(text, hiding: secrets) == shown)
  }

  @Test(arguments: [(0, ""), (3, "abc"), (5, "abcde"), (6, "abcde")])
  func textIsCutAtItsLimit(_ limit: Int, _ shown: String) {
    #expect(ServerText.shown("abcde", hiding: [], limit: limit) == shown)
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
