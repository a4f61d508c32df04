// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import HTTPTransport
import JSONCoding
import Testing

/// The formats of the token endpoint's responses.
@Suite struct DialectTests {
  private static func answer(
    _ shape: Sandbox.Dialect.ErrorShape, _ respond: (SandboxHarness) async throws -> Answer
  ) async throws -> (status: Int, body: JSONValue) {
    let answer = try await respond(
      SandboxHarness {
        $0.dialect.errors = shape
        $0.dialect.errorNames = ["invalid_grant": "bad_code"]
      })
    return (answer.status, try JSONValue(json: answer.response.body))
  }

  @Test func errorHasTheFormatOfTheDialect() async throws {
    let standard = try await Self.answer(.standard) { try await $0.redeem("guessed") }
    let description = try #require(standard.body["error_description"])
    for (shape, status, body) in [
      (.standard, 400, ["error": "bad_code", "error_description": description]),
      (.flagged, 200, ["ok": false, "error": "bad_code"]),
      (.nested, 400, ["error": ["message": description, "type": "OAuthException", "code": "bad_code"]]),
      (.message, 400, ["status": 400, "message": "bad_code"]),
      (.reason, 400, ["error": "bad_code", "reason": description]),
    ] as [(Sandbox.Dialect.ErrorShape, Int, JSONValue)] {
      let answer = try await Self.answer(shape) { try await $0.redeem("guessed") }
      #expect(answer == (status, body))
    }
  }

  @Test func tokensAreFlaggedWhereErrorsAre() async throws {
    for (shape, flag) in [(.standard, nil), (.flagged, true)] as [(Sandbox.Dialect.ErrorShape, JSONValue?)] {
      let answer = try await Self.answer(shape) { try await $0.redeem($0.code()) }
      #expect(answer.status == 200 && answer.body["ok"] == flag)
    }
  }
}
