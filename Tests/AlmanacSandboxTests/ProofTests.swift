// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Proofs of possession as the sandbox checks them (RFC 9449 § 4.3).
@Suite struct ProofTests {
  private let key: SigningKey
  private let other: SigningKey
  private let harness: SandboxHarness

  init() throws {
    key = try SigningKey.generate(.es256)
    other = try SigningKey.generate(.es256)
    harness = try SandboxHarness {
      $0.clients += [
        Sandbox.Client(
          id: "service", name: "Service", redirectURIs: [], authentication: .clientSecretPost(Secret("secret")))
      ]
    }
  }

  /// The claims of a good proof for the token endpoint.
  private var claims: [String: Any] {
    [
      "htm": "POST", "htu": "\(SandboxHarness.base)/token", "jti": UUID().uuidString,
      "iat": harness.clock.now.secondsSince1970,
    ]
  }

  private func proof(
    _ changes: [String: Any?] = [:], header: [String: Any?] = [:], by signer: SigningKey? = nil
  ) throws -> String {
    var claims = claims
    for (name, value) in changes { claims[name] = value }
    let signer = signer ?? key
    let jwk = try JSONSerialization.jsonObject(with: JSONEncoder().encode(key.publicJWK.bare))
    var members: [String: Any] = ["typ": "dpop+jwt", "alg": signer.algorithm.rawValue, "jwk": jwk]
    for (name, value) in header { members[name] = value }
    let input = try [members, claims].map { Base64URL.encode(Array(try JSONSerialization.data(withJSONObject: $0))) }
      .joined(separator: ".")
    return try input + "." + Base64URL.encode(signer.signature(for: Array(input.utf8)))
  }

  private func redeem(_ code: String, _ fields: HTTPFields) async throws -> Answer {
    try await harness.redeem(code, fields: fields)
  }

  /// Signs in with a proof and returns the response of the token endpoint.
  private func signIn() async throws -> Answer {
    try await redeem(
      try harness.code(["scope": "openid \(SandboxHarness.calendarScope)"]), ["DPoP": try proof()])
  }

  private func callProof(_ token: String, _ changes: [String: Any?] = [:], by signer: SigningKey? = nil) throws
    -> String
  {
    var all: [String: Any?] = [
      "htm": "GET", "htu": "\(SandboxHarness.base)/userinfo", "ath": Base64URL.encode(MessageDigest.sha256(token)),
    ]
    all.merge(changes) { $1 }
    return try proof(all, by: signer)
  }

  private func call(_ authorization: String, _ proofs: String...) async throws -> Answer {
    var fields: HTTPFields = ["Authorization": authorization]
    for proof in proofs { fields.append("DPoP", proof) }
    return try await harness.get("/userinfo", fields: fields)
  }

  @Test func tokenIsBoundToTheKeyOfTheProof() async throws {
    let answer = try await signIn()
    #expect(answer["token_type"] == "DPoP")
    let token = try #require(answer["access_token"])
    #expect(try await call("DPoP \(token)", try callProof(token)).status == 200)
    let introspection = try await harness.post(
      "/introspect", ["token": token, "client_id": "service", "client_secret": "secret"])
    #expect((introspection.object["cnf"] as? [String: String]) == ["jkt": try #require(key.publicJWK.thumbprint)])
    #expect(introspection["token_type"] == "DPoP")
  }

  /// The flaws of claims are in `proofs.txt`.
  @Test(arguments: ["type", "privateHalf", "noKey", "otherKey", "unsigned", "symmetric", "textualTime"])
  func proofWithAFlawIsRefusedAndTheCodeIsKept(_ flaw: String) async throws {
    let code = try harness.code()
    var jwk = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(key.publicJWK.bare)) as? [String: Any])
    jwk["d"] = "AAAA"
    let text =
      switch flaw {
      case "type": try proof(header: ["typ": "JWT"])
      case "privateHalf": try proof(header: ["jwk": jwk])
      case "noKey": try proof(header: ["jwk": nil])
      case "otherKey": try proof(by: other)
      case "unsigned": try proof(header: ["alg": "none"])
      case "symmetric": try proof(header: ["alg": "HS256"])
      default: try proof(["iat": "\(harness.clock.now.secondsSince1970)"])
      }
    let refused = try await redeem(code, ["DPoP": text])
    #expect(refused.status == 400 && refused["error"] == "invalid_dpop_proof")
    #expect(try await redeem(code, ["DPoP": try proof()]).status == 200)
  }

  /// The URL of the request is compared as it is written (RFC 9449 § 4.3), apart from what an origin may be written as.
  @Test(arguments: [
    ("https://sandbox.example/token", true), ("HTTPS://Sandbox.Example:443/token", true),
    ("http://sandbox.example/token", false), ("https://sandbox.example:444/token", false),
    ("https://sandbox.example.com/token", false), ("https://sandbox.example/Token", false),
    ("https://sandbox.example/tok%65n", false), ("https://sandbox.example/token/", false),
    ("https://sandbox.example//token", false), ("https://sandbox.example/token?", false),
    ("https://sandbox.example/token#", false), ("https://sandbox.example", false), ("/token", false),
  ])
  func proofIsForOneURL(_ url: String, _ isAccepted: Bool) async throws {
    let answer = try await redeem(try harness.code(), ["DPoP": try proof(["htu": url])])
    #expect(answer.status == (isAccepted ? 200 : 400))
    #expect(answer["error"] == (isAccepted ? nil : "invalid_dpop_proof"))
  }

  @Test func boundTokenIsOfNoUseWithoutItsKey() async throws {
    let token = try #require(try await signIn()["access_token"])
    let refused = [
      try await call("Bearer \(token)"), try await call("Bearer \(token)", try callProof(token)),
      try await call("DPoP \(token)"), try await call("DPoP \(token)", try callProof(token, by: other)),
      try await call("DPoP \(token)", try callProof(token, ["ath": nil])),
      try await call("DPoP \(token)", try callProof("another")),
      try await call("DPoP \(token)", try callProof(token), try callProof(token)),
    ]
    for answer in refused { #expect(answer.status == 401) }
    #expect(refused[0].response.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
    for answer in refused[2...] {
      #expect(answer.response.fields["WWW-Authenticate"]?.hasPrefix("DPoP ") == true)
      #expect(answer.response.fields["WWW-Authenticate"]?.contains("invalid_dpop_proof") == true)
    }
    let bearer = try #require(try await harness.signIn(scope: "openid")["access_token"])
    #expect(try await call("DPoP \(bearer)", try callProof(bearer)).status == 401, "it is not bound to this key")
  }

  @Test func proofOfAnotherKeyHasItsOwnThumbprint() async throws {
    let token = try #require(try await signIn()["access_token"])
    let jwk = try JSONSerialization.jsonObject(with: JSONEncoder().encode(other.publicJWK.bare))
    let text = try proof(
      [
        "htm": "GET", "htu": "\(SandboxHarness.base)/userinfo",
        "ath": Base64URL.encode(MessageDigest.sha256(token)),
      ], header: ["jwk": jwk], by: other)
    #expect(try await call("DPoP \(token)", text).status == 401)
  }

  @Test func codeIsRedeemedWithTheKeyThatTheRequestNamed() async throws {
    let thumbprint = try #require(key.publicJWK.thumbprint)
    let good = try harness.code(["dpop_jkt": thumbprint])
    #expect(try await redeem(good, ["DPoP": try proof()]).status == 200)
    let without = try harness.code(["dpop_jkt": thumbprint])
    #expect(try await redeem(without, [:])["error"] == "invalid_grant")
    let another = try harness.code(["dpop_jkt": other.publicJWK.thumbprint])
    #expect(try await redeem(another, ["DPoP": try proof()])["error"] == "invalid_grant")
  }

  @Test func refreshTokenIsOfNoUseWithoutItsKey() async throws {
    let token = try #require(try await signIn()["refresh_token"])
    let form: FormFields = ["grant_type": "refresh_token", "refresh_token": token, "client_id": "almanac"]
    #expect(try await harness.post("/token", form)["error"] == "invalid_grant")
    let jwk = try JSONSerialization.jsonObject(with: JSONEncoder().encode(other.publicJWK.bare))
    let stolen = try await harness.post(
      "/token", form, fields: ["DPoP": try proof(header: ["jwk": jwk], by: other)])
    #expect(stolen["error"] == "invalid_grant")
    let refreshed = try await harness.post("/token", form, fields: ["DPoP": try proof()])
    #expect(refreshed.status == 200 && refreshed["token_type"] == "DPoP")
  }

  @Test func registrationSaysThatTokensAreBound() async throws {
    let harness = try SandboxHarness {
      $0.registrationAccess = .open
    }
    let body = #"""
      {"redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none","dpop_bound_access_tokens":true}
      """#
    let registered = try await harness.send(
      HTTPRequest(
        .post, try #require(URL(string: SandboxHarness.base + "/register")),
        fields: ["Content-Type": "application/json"], body: Array(body.utf8)))
    let id = try #require(registered["client_id"])
    let code = try harness.code(["client_id": id])
    #expect(try await harness.redeem(code, ["client_id": id])["error"] == "invalid_dpop_proof")
  }

  @Test func eachServerGivesItsOwnNonces() async throws {
    let harness = try SandboxHarness {
      var policy = Sandbox.ProofPolicy()
      policy.requestsPerNonce = 2
      $0.proofs = policy
    }
    let code = try harness.code(["scope": "openid"])
    let refused = try await harness.redeem(code, fields: ["DPoP": try proof()])
    #expect(refused.status == 400 && refused["error"] == "use_dpop_nonce")
    let nonce = try #require(refused.response.fields["DPoP-Nonce"])
    let token = try await harness.redeem(code, fields: ["DPoP": try proof(["nonce": nonce])])
    #expect(token.status == 200 && token.response.fields["DPoP-Nonce"] == nonce)
    let access = try #require(token["access_token"])
    let proof = try callProof(access, ["nonce": nonce])
    let call = try await harness.get("/userinfo", fields: ["Authorization": "DPoP \(access)", "DPoP": proof])
    #expect(call.status == 401)
    #expect(call.response.fields["WWW-Authenticate"]?.contains(#"error="use_dpop_nonce""#) == true)
    let next = try #require(call.response.fields["DPoP-Nonce"])
    #expect(next != nonce)
    // The second use is the last, and its response gives the next nonce.
    for isLast in [false, true] {
      let proof = try callProof(access, ["nonce": next])
      let answer = try await harness.get("/userinfo", fields: ["Authorization": "DPoP \(access)", "DPoP": proof])
      #expect(answer.status == 200 && (answer.response.fields["DPoP-Nonce"] != next) == isLast)
    }
  }
}
