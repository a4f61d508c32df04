// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Timekeeping
import TokenStore

/// A server that signs what it is told to, and a client of it.
struct SigningIssuer {
  static let name = "https://login.example"

  let clock = ManualClock()
  let key: SigningKey
  let client: OAuthClient
  let verifier: IDTokenVerifier

  init(_ complete: (inout ServerMetadata) -> Void = { _ in }) throws {
    let key = try SigningKey.generate(.es256)
    self.key = key
    var server = ServerMetadata(
      issuer: Self.name,
      authorizationEndpoint: URL(literal: "https://login.example/a"),
      tokenEndpoint: URL(literal: "https://login.example/t")
    ) {
      $0.userinfoEndpoint = URL(literal: "https://login.example/u")
      $0.jwksURI = URL(literal: "https://login.example/keys")
    }
    complete(&server)
    client = try OAuthClient(
      server: server, registration: ClientRegistration(clientID: "app"), transport: StubTransport(), clock: clock)
    let keys = Array(try JSONEncoder().encode(JWKSet([key.publicJWK])))
    verifier = IDTokenVerifier(
      client: client, transport: StubTransport { _ in HTTPResponse(status: 200, body: keys) }, clock: clock)
  }

  /// Seconds from now, as a claim has them.
  func seconds(_ offset: Int = 0) -> Int { Int(clock.now.secondsSince1970) + offset }

  func sign(_ claims: [String: any Sendable], type: String? = "JWT", with other: SigningKey? = nil) throws -> Secret {
    let payload = try JSONSerialization.data(withJSONObject: claims)
    return Secret(try JWS.sign(Array(payload), with: other ?? key, keyID: key.publicJWK.keyID, type: type))
  }

  /// The claims of a sound ID token with some replaced, or left out where the value is `nil`.
  func identity(_ changes: [String: (any Sendable)?] = [:]) -> [String: any Sendable] {
    let sound: [String: any Sendable] = [
      "iss": Self.name, "sub": "person", "aud": "app", "iat": seconds(), "exp": seconds(3600),
    ]
    return sound.merging(changes.mapValues { $0 ?? NSNull() }) { $1 }.filter { !($0.value is NSNull) }
  }
}
