// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore

/// A client whose server is never asked.
enum Fixtures {
  static func client(clock: ManualClock) throws -> OAuthClient {
    try OAuthClient(
      server: ServerMetadata(
        issuer: "https://login.example",
        authorizationEndpoint: URL(literal: "https://login.example/authorize"),
        tokenEndpoint: URL(literal: "https://login.example/token")),
      registration: ClientRegistration(clientID: "app"), transport: StubTransport(), clock: clock)
  }
}
