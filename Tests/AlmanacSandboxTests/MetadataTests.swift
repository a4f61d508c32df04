// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthJOSE
import OAuthScope
import Testing

@Suite struct MetadataTests {
  @Test func aConfiguredIssuerIsUsedEverywhere() async throws {
    let harness = try SandboxHarness { $0.issuer = "https://issuer.example" }
    let answer = try await harness.get("/.well-known/openid-configuration")
    #expect(answer["issuer"] == "https://issuer.example")
    #expect(answer["token_endpoint"] == "https://issuer.example/token")
    #expect(
      harness.parameters(of: try harness.sandbox.approve(try harness.authorizationURL()))["iss"]
        == "https://issuer.example")
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

  /// The digest of a PNG file whose checksums and pixels were verified with zlib.
  @Test func pictureIsTheVerifiedFile() async throws {
    let response = try await SandboxHarness().get("/picture.png").response
    #expect(response.status == 200 && response.fields["Content-Type"] == "image/png")
    #expect(Base64URL.encode(MessageDigest.sha256(response.body)) == "0xKC8ke71a9LWT8j2fN2q44TJwWmWQbcYFo9ymuWOTI")
  }

  @Test func usersHaveDifferentSubjectsByDefault() {
    let subjects = ["person@example.com", "ana@example.com", "bo@example.com"].map { Sandbox.User(email: $0).subject }
    #expect(Set(subjects).count == 3 && subjects.allSatisfy { $0.utf8.count == 21 })
    #expect(Sandbox.User().subject == subjects[0])
  }

  @Test func theTransportAnswersForOneOriginOnly() async throws {
    let harness = try SandboxHarness()
    for address in ["https://other.example/", "http://sandbox.example/", "https://sandbox.example:8443/"] {
      let request = HTTPRequest(.get, try #require(URL(string: address)))
      let error = await #expect(throws: TransportError.self) { try await harness.transport.send(request) }
      #expect(error?.code == .unreachable)
    }
    #expect(try await harness.get("/nothing/here").status == 404)
    #expect(try await harness.get("/").status == 200)
  }
}
