// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import TestSupport
import Testing
import TokenStore

/// Every error of the module, with its whole message; the rows are in the other files of this folder.
@Suite struct ErrorMessageTests {
  typealias Row = Failure<OAuthError.Code>

  @Test(
    "Every error states what failed",
    arguments: requests + callbacks + tokens + endpoints + keys + devices + discoveries + resources + registrations)
  func statesWhatFailed(_ failure: Failure<OAuthError.Code>) async {
    let error = await #expect(throws: OAuthError.self) { try await failure.body() }
    #expect(error?.code == failure.code)
    #expect(error?.message == failure.message)
  }

  @Test(
    "A code is described by its name",
    arguments: [
      (OAuthError.Code.signInRequired, "signInRequired"), (.accessDenied, "accessDenied"),
      (.signInTimedOut, "signInTimedOut"), (.invalidCallback, "invalidCallback"), (.stateMismatch, "stateMismatch"),
      (.issuerMismatch, "issuerMismatch"), (.resourceMismatch, "resourceMismatch"),
      (.clientRequired, "clientRequired"), (.clientMismatch, "clientMismatch"), (.subjectMismatch, "subjectMismatch"),
      (.authorizationUsed, "authorizationUsed"), (.linkReused, "linkReused"),
      (.insufficientAuthentication, "insufficientAuthentication"), (.requestRejected, "requestRejected"),
      (.serverUnavailable, "serverUnavailable"), (.invalidResponse, "invalidResponse"),
      (.originNotAllowed, "originNotAllowed"), (.unsupportedTokenType, "unsupportedTokenType"),
      (.invalidConfiguration, "invalidConfiguration"), (.unsupported, "unsupported"),
      (.userAgentUnavailable, "userAgentUnavailable"),
    ])
  func codesHaveNames(_ code: OAuthError.Code, _ name: String) {
    #expect(code.description == name)
  }
}

extension ErrorMessageTests {
  /// A server and its client, as a row changes them.
  struct Parties {
    var provider = Provider(name: "Login", server: Fixtures.server())
    var registration = ClientRegistration(clientID: "app")
  }

  /// A client of `https://login.example`.
  static func client(
    _ transport: StubTransport = StubTransport(), clock: ManualClock = ManualClock(),
    set: (inout Parties) -> Void = { _ in }
  ) throws -> OAuthClient {
    var parties = Parties()
    set(&parties)
    return try OAuthClient(
      provider: parties.provider, registration: parties.registration, transport: transport, clock: clock)
  }

  /// A token of the client, without a refresh token.
  static func token(_ change: (inout StoredToken) -> Void = { _ in }) -> StoredToken {
    var token = Fixtures.expired(ManualClock(), refreshToken: nil)
    change(&token)
    return token
  }
}
