// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import Timekeeping
import TokenStore

@Suite struct RevocationTests {
  private let clock = ManualClock()

  private func revoke(_ token: StoredToken, _ transport: StubTransport) async throws {
    try await Fixtures.client(transport, clock: clock).revoke(token)
  }

  @Test func bothTokensAreRevoked() async throws {
    let transport = StubTransport { _ in HTTPResponse(status: 200) }
    try await revoke(Fixtures.expired(clock), transport)
    #expect(transport.requests.map { $0.form["token"] } == ["refresh-1", "access-1"])
    #expect(transport.requests.map { $0.form["token_type_hint"] } == ["refresh_token", "access_token"])
  }

  @Test func accessTokenAloneIsRevokedWhereThereIsNoOther() async throws {
    let transport = StubTransport { _ in HTTPResponse(status: 200) }
    try await revoke(Fixtures.expired(clock, refreshToken: nil), transport)
    #expect(transport.requests.map { $0.form["token"] } == ["access-1"])
  }

  @Test func unknownTokenCountsAsRevoked() async throws {
    let transport = StubTransport { _ in Fixtures.json(#"{"error":"invalid_token"}"#, status: 400) }
    try await revoke(Fixtures.expired(clock), transport)
    #expect(transport.requests.count == 2)
  }

  @Test func serverThatRevokesRefreshTokensAloneIsEnough() async throws {
    let unsupported = Fixtures.json(#"{"error":"unsupported_token_type"}"#, status: 400)
    try await revoke(Fixtures.expired(clock), StubTransport(HTTPResponse(status: 200), unsupported))
    let error = await #expect(throws: OAuthError.self) {
      try await revoke(Fixtures.expired(clock, refreshToken: nil), StubTransport(unsupported))
    }
    #expect(error?.serverCode == "unsupported_token_type")
  }

  @Test(arguments: [0, 1])
  func eitherFailureIsReported(_ failing: Int) async throws {
    var responses = [HTTPResponse(status: 200), HTTPResponse(status: 200)]
    responses[failing] = HTTPResponse(status: 503)
    let transport = StubTransport(responses[0], responses[1])
    await expectError(.serverUnavailable) { try await revoke(Fixtures.expired(clock), transport) }
  }

  @Test(arguments: ["invalid_client", "invalid_request", "unsupported_grant_type"])
  func anotherErrorIsNotTakenForRevoked(_ code: String) async throws {
    let transport = StubTransport { _ in Fixtures.json(#"{"error":"\#(code)"}"#, status: 400) }
    let error = await #expect(throws: OAuthError.self) { try await revoke(Fixtures.expired(clock), transport) }
    #expect(error?.serverCode == code)
  }
}
