// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import TestSupport
import Testing
import TokenStore

/// Every error of the module that one condition causes: its code and its remedy.
///
/// The rows are in the other files.
@Suite struct ErrorMessageTests {
  typealias Row = Failure<OAuthError.Code>

  @Test(
    "Every error names its remedy",
    arguments: requests + callbacks + tokens + endpoints + keys + devices + discoveries + registrations)
  func errorNamesItsRemedy(_ failure: Row) async throws {
    let error = try #require(await #expect(throws: OAuthError.self) { try await failure.body() })
    failure.expect(error.code, error.message)
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
