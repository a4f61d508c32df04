// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Client authentication by assertions and certificates.
@Suite struct SignedAuthenticationTests {
  private static let secret = Secret("a secret of at least thirty-two bytes")
  private let clock = ManualClock()
  private let key: SigningKey

  init() throws { key = try SigningKey.generate(.es256) }

  /// Returns the requests that refresh a token.
  private func requests(
    _ authentication: any ClientAuthentication, count: Int = 1, _ change: (inout Fixtures.Parties) -> Void = { _ in }
  ) async throws -> [HTTPRequest] {
    let transport = StubTransport { _ in Fixtures.json(#"{"access_token":"a"}"#) }
    let client = try Fixtures.client(transport, authentication: authentication, clock: clock, set: change)
    for _ in 0..<count { _ = try await client.refresh(Fixtures.expired(clock)) }
    return transport.requests
  }

  private func assertion(in request: HTTPRequest) throws -> JWS {
    try JWS(compact: try #require(request.form["client_assertion"]))
  }

  private func claims(_ payload: [UInt8]) throws -> [String: AnyHashable] {
    try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: AnyHashable])
  }

  @Test func secretSignsAnAssertionAndIsNotSent() async throws {
    let request = try await requests(.clientSecretJWT(Self.secret))[0]
    #expect(
      request.form.map(\.name) == [
        "grant_type", "refresh_token", "client_id", "client_assertion_type", "client_assertion",
      ])
    #expect(request.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    #expect(request.form["client_id"] == "app")
    #expect(request.fields["Authorization"] == nil)
    let jws = try assertion(in: request)
    #expect(jws.header.algorithm == .hs256 && jws.header.type == "JWT" && jws.header.keyID == nil)
    #expect(
      try Fixtures.claims(jws.payload(verifiedWith: ClientSecretKey(Self.secret.reveal())))
        == #"{"aud":"https://login.example","exp":1767225660,"iat":1767225600,"iss":"app","sub":"app"}"#)
  }

  @Test(arguments: [JWS.Algorithm.es256, .es384, .edDSA])
  func privateKeySignsAnAssertion(_ algorithm: JWS.Algorithm) async throws {
    let key = try SigningKey.generate(algorithm)
    let jws = try assertion(in: try await requests(.privateKeyJWT(key))[0])
    #expect(jws.header.algorithm == algorithm && jws.header.keyID == key.publicJWK.keyID)
    let claims = try claims(jws.payload(verifiedWith: key.publicJWK, allowing: [algorithm]))
    #expect(claims["iss"] as? String == "app" && claims["sub"] as? String == "app")
  }

  @Test(
    arguments: [
      (nil, .issuer, "https://login.example"), (nil, .tokenEndpoint, "https://login.example/token"),
      (.tokenEndpoint, .issuer, "https://login.example/token"), (.custom("urn:x"), .issuer, "urn:x"),
    ] as [(AssertionAudience?, AssertionAudience, String)])
  func audienceIsTheMethodsElseTheProviders(
    _ own: AssertionAudience?, _ quirk: AssertionAudience, _ expected: String
  ) async throws {
    for authentication: any ClientAuthentication in [
      PrivateKeyJWT(key, audience: own), try ClientSecretJWT(Self.secret, audience: own),
    ] {
      let request = try await requests(authentication) { $0.provider.quirks.assertionAudience = quirk }[0]
      let payload = try #require(request.form["client_assertion"]?.split(separator: ".")[1])
      let text = try #require(Base64URL.decode(payload))
      #expect(try claims(text)["aud"] == AnyHashable(expected))
    }
  }

  @Test func eachAssertionIsForOneRequest() async throws {
    let sent = try await requests(PrivateKeyJWT(key, lifetime: .seconds(300)), count: 2)
    let all = try sent.map { try claims(assertion(in: $0).payload(verifiedWith: key.publicJWK, allowing: [.es256])) }
    #expect(all[0]["jti"] != all[1]["jti"])
    #expect(all.allSatisfy { $0["exp"] == AnyHashable(Int(clock.now.secondsSince1970) + 300) })
  }

  @Test(arguments: [
    (["client_secret_jwt"], true), (["private_key_jwt", "client_secret_jwt"], true),
    (["client_secret_jwt", "client_secret_post"], false),
  ])
  func secretIsUsedForASignatureWhereTheServerHasNoOtherMethod(_ methods: [String], _ isSigned: Bool) async throws {
    let request = try await requests(.clientSecret(Self.secret)) {
      $0.server.tokenEndpointAuthMethodsSupported = methods
    }[0]
    #expect((request.form["client_assertion"] != nil) == isSigned)
    #expect(request.form["client_secret"] == (isSigned ? nil : Self.secret.reveal()))
  }

  @Test func certificateIsPresentedAtTheAliasOfTheEndpoint() async throws {
    let aliases = [
      "token_endpoint": URL(literal: "https://mtls.example/token"),
      "revocation_endpoint": URL(literal: "https://mtls.example/revoke"),
    ]
    for (aliases, url) in [([:], "https://login.example/token"), (aliases, "https://mtls.example/token")] {
      let request = try await requests(.tlsClientCertificate) { $0.server.mtlsEndpointAliases = aliases }[0]
      #expect(request.url.absoluteString == url && request.fields["Authorization"] == nil)
      #expect(request.form.map(\.name) == ["grant_type", "refresh_token", "client_id"])
    }
    let other = try await requests(.privateKeyJWT(key)) { $0.server.mtlsEndpointAliases = aliases }[0]
    #expect(other.url.absoluteString == "https://login.example/token")

    let transport = StubTransport { _ in HTTPResponse(status: 200) }
    let client = try Fixtures.client(transport, authentication: .tlsClientCertificate, clock: clock) {
      $0.server.mtlsEndpointAliases = aliases
    }
    try await client.revoke(Fixtures.expired(clock))
    #expect(transport.requests.map(\.url.absoluteString) == Array(repeating: "https://mtls.example/revoke", count: 2))
  }
}
