// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import HTTPTransport
import Testing

/// The errors of the token endpoint, each with its description.
@Suite struct TokenFaultTests {
  private static let code = "The code is unknown, expired, used, or was issued for another request."

  @Test(
    arguments: [
      (["code": "x"], "400 invalid_grant: \(code)"),
      (["redirect_uri": "http://127.0.0.1:1/other"], "400 invalid_grant: \(code)"),
      (["client_id": nil], "401 invalid_client: The client is not identified."),
      (["client_id": "other"], "401 invalid_client: The client is unknown or failed to authenticate."),
      (["grant_type": "password"], "400 unsupported_grant_type: grant_type is not one of grant_types_supported."),
      (["grant_type": nil], "400 invalid_request: grant_type is missing."),
      (
        ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x"],
        "400 invalid_grant: The device code is unknown, used, or was issued to another client."
      ),
      (
        ["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": "x"],
        "400 invalid_grant: The auth_req_id is unknown, used, or was issued to another client."
      ),
      (
        ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "x"],
        "400 invalid_grant: The assertion is not a signed JWT."
      ),
    ] as [(KeyValuePairs<String, String?>, String)])
  func redemption(_ changes: KeyValuePairs<String, String?>, _ error: String) async throws {
    let harness = try SandboxHarness()
    #expect(try await harness.redeem(try harness.code(), changes).oauthError == error)
  }

  @Test func codeIsUsedOnce() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    #expect(try await harness.redeem(code).status == 200)
    #expect(try await harness.redeem(code).oauthError == "400 invalid_grant: \(Self.code)")
  }

  @Test func refresh() async throws {
    let harness = try SandboxHarness()
    #expect(
      try await harness.refresh("x").oauthError
        == "400 invalid_grant: The refresh token is unknown, expired, revoked, or used.")
    let token = try #require(try await harness.signIn(scope: "email")["refresh_token"])
    #expect(
      try await harness.refresh(token, ["scope": "email profile"]).oauthError
        == "400 invalid_scope: The scope is wider than what was granted.")
  }

  @Test(
    arguments: [
      (["Authorization": "Basic !"], "401 invalid_client: The Authorization field does not hold Basic credentials."),
      (["Authorization": "Basic YQ=="], "401 invalid_client: The Authorization field does not hold Basic credentials."),
      (
        ["Authorization": "Bearer YTpi"], "401 invalid_client: The Authorization field does not hold Basic credentials."
      ),
      (
        ["Content-Type": "text/plain"], "400 invalid_request: The body must be application/x-www-form-urlencoded."
      ),
    ] as [(HTTPFields, String)])
  func fields(_ fields: HTTPFields, _ error: String) async throws {
    let harness = try SandboxHarness()
    #expect(try await harness.redeem(try harness.code(), fields: fields).oauthError == error)
  }

  @Test func clientAuthenticatesInOneWay() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.redeem(
      try harness.code(), ["client_secret": "a"], fields: ["Authorization": "Basic YTpi"])
    #expect(answer.oauthError == "400 invalid_request: Use one method of client authentication only.")
  }

  @Test func parametersBelongIntoTheContent() async throws {
    let answer = try await SandboxHarness().post("/token?grant_type=refresh_token", ["client_id": "almanac"])
    #expect(answer.oauthError == "400 invalid_request: Parameters must be sent in the body.")
  }
}
