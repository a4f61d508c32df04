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
      $0.clients.append(
        .init(id: "service", name: "Service", redirectURIs: [], authentication: .clientSecretPost(Secret("secret"))))
    }
  }

  /// Makes a proof for the token endpoint, with some claims and members of the header replaced or left out.
  private func proof(
    _ changes: [String: Any?] = [:], header: [String: Any?] = [:], by signer: SigningKey? = nil
  ) throws -> String {
    var claims: [String: Any] = [
      "htm": "POST", "htu": "\(SandboxHarness.base)/token", "jti": UUID().uuidString,
      "iat": harness.clock.now.secondsSince1970,
    ]
    for (name, value) in changes { claims[name] = value }
    let signer = signer ?? key
    var members: [String: Any] = ["typ": "dpop+jwt", "alg": signer.algorithm.rawValue, "jwk": try jwk(of: key)]
    for (name, value) in header { members[name] = value }
    let input = try [members, claims].map { Base64URL.encode(Array(try JSONSerialization.data(withJSONObject: $0))) }
      .joined(separator: ".")
    return try input + "." + Base64URL.encode(signer.signature(for: Array(input.utf8)))
  }

  private func jwk(of key: SigningKey) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(key.publicJWK.bare))
    return try #require(json as? [String: Any])
  }

  private func redeem(_ code: String, _ proof: String) async throws -> Answer {
    try await harness.redeem(code, fields: ["DPoP": proof])
  }

  private func callProof(
    _ token: String, _ changes: [String: Any?] = [:], header: [String: Any?] = [:], by signer: SigningKey? = nil
  ) throws -> String {
    var all: [String: Any?] = [
      "htm": "GET", "htu": "\(SandboxHarness.base)/userinfo", "ath": Base64URL.encode(MessageDigest.sha256(token)),
    ]
    all.merge(changes) { $1 }
    return try proof(all, header: header, by: signer)
  }

  private func call(_ authorization: String, _ proofs: String...) async throws -> Answer {
    var fields: HTTPFields = ["Authorization": authorization]
    for proof in proofs { fields.append("DPoP", proof) }
    return try await harness.get("/userinfo", fields: fields)
  }

  /// The flaws of claims are in `proofs.txt`.
  @Test(arguments: ["type", "privateHalf", "noKey", "otherKey", "unsigned", "symmetric", "textualTime"])
  func proofWithAFlawIsRefusedAndTheCodeIsKept(_ flaw: String) async throws {
    let code = try harness.code()
    let text =
      switch flaw {
      case "type": try proof(header: ["typ": "JWT"])
      case "privateHalf": try proof(header: ["jwk": jwk(of: key).merging(["d": "AAAA"]) { $1 }])
      case "noKey": try proof(header: ["jwk": nil])
      case "otherKey": try proof(by: other)
      case "unsigned": try proof(header: ["alg": "none"])
      case "symmetric": try proof(header: ["alg": "HS256"])
      default: try proof(["iat": "\(harness.clock.now.secondsSince1970)"])
      }
    let refused = try await redeem(code, text)
    #expect(refused.status == 400 && refused["error"] == "invalid_dpop_proof")
    #expect(try await redeem(code, proof()).status == 200)
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
    let answer = try await redeem(harness.code(), proof(["htu": url]))
    #expect(answer.status == (isAccepted ? 200 : 400))
    #expect(answer["error"] == (isAccepted ? nil : "invalid_dpop_proof"))
  }

  @Test func boundTokenIsOfNoUseWithoutItsKey() async throws {
    let answer = try await redeem(harness.code(["scope": "openid"]), proof())
    let token = try #require(answer["access_token"])
    let introspected = try await harness.post(
      "/introspect", ["token": token, "client_id": "service", "client_secret": "secret"])
    #expect(introspected.value("cnf", "jkt") as? String == key.publicJWK.thumbprint)
    #expect(try await call("DPoP \(token)", callProof(token)).status == 200)
    let refused = [
      try await call("Bearer \(token)"), try await call("Bearer \(token)", callProof(token)),
      try await call("DPoP \(token)"), try await call("DPoP \(token)", callProof(token, by: other)),
      try await call("DPoP \(token)", callProof(token, header: ["jwk": jwk(of: other)], by: other)),
      try await call("DPoP \(token)", callProof(token, ["ath": nil])),
      try await call("DPoP \(token)", callProof("another")),
      try await call("DPoP \(token)", callProof(token), callProof(token)),
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

  @Test func eachServerGivesItsOwnNonces() async throws {
    let harness = try SandboxHarness { $0.proofs?.requestsPerNonce = 2 }
    // `proofs.txt` has the token endpoint.
    let code = try harness.code(["scope": "openid"])
    let refused = try await harness.redeem(code, fields: ["DPoP": try proof()])
    let nonce = try #require(refused.response.fields["DPoP-Nonce"])
    let token = try await harness.redeem(code, fields: ["DPoP": try proof(["nonce": nonce])])
    let access = try #require(token["access_token"])
    func send(_ nonce: String) async throws -> Answer {
      let proof = try callProof(access, ["nonce": nonce])
      return try await harness.get("/userinfo", fields: ["Authorization": "DPoP \(access)", "DPoP": proof])
    }
    let call = try await send(nonce)
    #expect(call.status == 401)
    #expect(call.response.fields["WWW-Authenticate"]?.contains(#"error="use_dpop_nonce""#) == true)
    let next = try #require(call.response.fields["DPoP-Nonce"])
    #expect(next != nonce)
    // The second use is the last, and its response gives the next nonce.
    for isLast in [false, true] {
      let answer = try await send(next)
      #expect(answer.status == 200 && (answer.response.fields["DPoP-Nonce"] != next) == isLast)
    }
  }
}
