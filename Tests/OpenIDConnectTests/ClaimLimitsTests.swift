// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import TestSupport
import Testing
import TokenStore

/// The numbers and sizes in ID tokens, logout tokens, profiles and key sets, at their limit and far beyond.
@Suite struct ClaimLimitsTests {
  private static let limit = 10_000
  private let issuer: SigningIssuer

  init() throws { issuer = try SigningIssuer() }

  /// Returns the claims of a sound ID token and logout token, with so many values of a claim or so many claims.
  private func claims(_ name: String, _ count: Int) -> [String: any Sendable] {
    var claims = issuer.identity([
      "azp": "app", "jti": "1", "events": ["http://schemas.openid.net/event/backchannel-logout": [String: String]()],
    ])
    switch name {
    case "claims": for number in claims.count..<count { claims["c\(number)"] = 1 }
    case "acr": claims["acr"] = String(repeating: "x", count: count > Self.limit ? 2_049 : 2_048)
    default: claims[name] = ["app"] + (1..<count).map { "\($0)" }
    }
    return claims
  }

  @Test(arguments: ["aud", "acr", "amr", "claims"], [limit, limit + 1, 30_000])
  func claimsAreLimited(_ name: String, _ count: Int) async throws {
    let claims = claims(name, count)
    let (server, verifier) = (issuer.client.server, issuer.verifier)
    let (token, logoutToken) = (try issuer.sign(claims), try issuer.sign(claims, type: "logout+jwt"))
    let plain = StubTransport(
      HTTPResponse(status: 200, body: Array(try JSONSerialization.data(withJSONObject: claims))))
    let signed = StubTransport(
      HTTPResponse(status: 200, fields: ["Content-Type": "application/jwt"], body: Array(token.reveal().utf8)))
    let readings: [@Sendable () async throws -> Void] = [
      { _ = try await verifier.claims(of: token, nonce: nil) },
      { _ = try await BackChannelLogout(verifier: verifier).verify(logoutToken) },
      { _ = try await UserProfile.read(from: server, transport: plain) },
      { _ = try await UserProfile.read(from: server, transport: signed, verifier: verifier) },
    ]
    for read in readings {
      try await expect(count > Self.limit ? .invalidResponse : nil) { try await SerialTaskExecutor.quickly(read) }
    }
  }

  @Test(arguments: [(1_000, true), (1_001, false), (100_000, false)])
  func keysAreLimited(_ count: Int, _ isAccepted: Bool) async throws {
    let key = count > 1_001 ? "{}" : #"{"kty":"a"}"#
    let json = Array("{\"keys\":[\(Array(repeating: key, count: count).joined(separator: ","))]}".utf8)
    let set = try? await SerialTaskExecutor.quickly { try JWKSet(json: json) }
    #expect(set?.keys.count == (isAccepted ? count : nil))
    #expect(((try? JSONDecoder().decode(JWKSet.self, from: Data(json))) != nil) == isAccepted)
  }
}
