// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing

@Suite struct IdentityTests {
  private func claims(_ token: String, _ harness: SandboxHarness) async throws -> [String: Any] {
    let answer = try await harness.get("/jwks.json")
    let keys = try JSONDecoder().decode(JWKSet.self, from: Data(answer.response.body))
    let payload = try JWS(compact: token).payload(verifiedWith: keys, allowing: [.es256, .rs256])
    return try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
  }

  @Test func theIDTokenSaysWhoForWhomAndUntilWhen() async throws {
    let harness = try SandboxHarness { $0.idTokenLifetime = .seconds(600) }
    let code = try harness.code(["scope": "openid email profile", "nonce": "n-0S6_WzA2Mj"])
    harness.clock.advance(by: .seconds(5))
    let answer = try await harness.redeem(code)
    let claims = try await claims(try #require(answer["id_token"]), harness)
    #expect(claims["iss"] as? String == SandboxHarness.base)
    #expect(claims["aud"] as? String == "almanac")
    #expect(claims["sub"] as? String == harness.sandbox.configuration.user.subject)
    #expect(claims["nonce"] as? String == "n-0S6_WzA2Mj")
    #expect(claims["iat"] as? Int == 1_767_225_605)
    #expect(claims["exp"] as? Int == 1_767_226_205)
    #expect(claims["auth_time"] as? Int == 1_767_225_600)
    #expect(claims["name"] as? String == "Sample Person")
    #expect(claims["email"] as? String == "person@example.com")
    #expect(claims["email_verified"] as? Bool == true)
    #expect(claims["picture"] as? String == "\(SandboxHarness.base)/picture.png")
    let digest = MessageDigest.sha256(try #require(answer["access_token"]))
    #expect(claims["at_hash"] as? String == Base64URL.encode(Array(digest.prefix(16))))
  }

  /// The first sandbox of each pair is gone when the second one is made.
  @Test(arguments: [JWS.Algorithm.es256, .rs256])
  func noTwoSandboxesHaveOneSigningKey(_ algorithm: JWS.Algorithm) async throws {
    var keys: Set<String> = []
    for _ in 1...2 {
      let answer = try await SandboxHarness { $0.idTokenAlgorithm = algorithm }.get("/jwks.json")
      let key = try #require(try JWKSet(json: answer.response.body).keys.first)
      keys.insert(try #require(key.parameters["n"] ?? key.parameters["x"]))
    }
    #expect(keys.count == 2)
  }

  @Test func aRefreshGivesAnIDTokenOfTheSameSignInWithoutNonce() async throws {
    let harness = try SandboxHarness()
    let first = try await harness.redeem(try harness.code(["scope": "openid email", "nonce": "n"]))
    harness.clock.advance(by: .seconds(100))
    let second = try await harness.refresh(try #require(first["refresh_token"]))
    let (old, new) = (
      try await claims(try #require(first["id_token"]), harness),
      try await claims(try #require(second["id_token"]), harness)
    )
    for name in ["iss", "sub", "aud"] { #expect(new[name] as? String == old[name] as? String) }
    #expect(new["auth_time"] as? Int == old["auth_time"] as? Int)
    #expect(new["iat"] as? Int == 1_767_225_700)
    #expect(new["nonce"] == nil)
    let narrow = try await harness.refresh(try #require(second["refresh_token"]), ["scope": "email"])
    #expect(narrow.status == 200 && narrow["id_token"] == nil)
  }

  @Test func theIDTokenSaysNoMoreThanWasGranted() async throws {
    let harness = try SandboxHarness()
    let claims = try await claims(try #require(try await harness.signIn(scope: "openid")["id_token"]), harness)
    #expect(claims["email"] == nil && claims["name"] == nil && claims["picture"] == nil && claims["nonce"] == nil)
    #expect(try await harness.signIn(scope: "email")["id_token"] == nil)
  }

  @Test func userinfoTellsWhatWasGranted() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get("/userinfo", token: try await harness.accessToken(scope: "openid email"))
    #expect(answer.status == 200)
    #expect(answer["sub"] == harness.sandbox.configuration.user.subject)
    #expect(answer["email"] == "person@example.com")
    #expect(answer["name"] == nil)
  }

  /// OpenID Connect Core § 5.3.1.
  @Test func userinfoAcceptsATokenInAPostedForm() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: "openid email")
    #expect(try await harness.post("/userinfo", ["access_token": token])["email"] != nil)
    #expect(try await harness.post("/userinfo", ["access_token": "guessed"]).status == 401)
    let twice: HTTPFields = ["Authorization": "Bearer \(token)"]
    #expect(try await harness.post("/userinfo", ["access_token": token], fields: twice).status == 400)
  }

  @Test func userinfoChallengesRequestsWithoutAValidToken() async throws {
    let harness = try SandboxHarness()
    let anonymous = try await harness.get("/userinfo")
    #expect(anonymous.status == 401)
    let metadata = "https://sandbox.example/.well-known/oauth-protected-resource/userinfo"
    #expect(
      anonymous.response.fields["WWW-Authenticate"] == #"Bearer realm="sandbox", resource_metadata="\#(metadata)""#)
    let stranger = try await harness.get("/userinfo", token: "guessed")
    #expect(stranger.status == 401)
    #expect(stranger.response.fields["WWW-Authenticate"]?.contains(#"error="invalid_token""#) == true)
    let narrow = try await harness.get("/userinfo", token: try await harness.accessToken(scope: "email"))
    #expect(narrow.status == 403)
    #expect(narrow.response.fields["WWW-Authenticate"]?.contains(#"error="insufficient_scope""#) == true)
    let token = try await harness.accessToken(scope: "openid")
    #expect(try await harness.get("/userinfo?access_token=\(token)").status == 400)
    #expect(try await harness.get("/userinfo", fields: ["Authorization": "bearer \(token)"]).status == 200)
    harness.clock.advance(by: .seconds(3600))
    #expect(try await harness.get("/userinfo", token: token).status == 401)
  }
}
