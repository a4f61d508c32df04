// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct ClientAuthenticationTests {
  private static let secret = "s3cret:+ /é%"

  private func harness(_ authentication: Sandbox.Client.Authentication, id: String = "almanac") throws -> SandboxHarness
  {
    try SandboxHarness {
      $0.clients = [
        .init(id: id, name: "App", redirectURIs: ["http://127.0.0.1/callback"], authentication: authentication)
      ]
    }
  }

  private func basic(_ id: String, _ secret: String, encoded: Bool = true) -> HTTPFields {
    let pair = encoded ? "\(FormEncoding.form.encode(id)):\(FormEncoding.form.encode(secret))" : "\(id):\(secret)"
    return ["Authorization": "Basic \(Data(pair.utf8).base64EncodedString())"]
  }

  @Test func basicCredentialsAreFormDecoded() async throws {
    let id = "client:1 é"
    let harness = try harness(.clientSecretBasic(Secret(Self.secret)), id: id)
    let answer = try await harness.redeem(
      try harness.code(["client_id": id]), ["client_id": nil], fields: basic(id, Self.secret))
    #expect(answer.status == 200)
    let same = try await harness.redeem(
      try harness.code(["client_id": id]), ["client_id": id], fields: basic(id, Self.secret))
    #expect(same.status == 200, "The identifier may be repeated in the content.")
  }

  @Test(
    "Only the registered way, and only the right secret",
    arguments: [
      (Sandbox.Client.Authentication.clientSecretBasic(Secret(secret)), nil, nil),
      (.clientSecretBasic(Secret(secret)), secret, nil), (.clientSecretBasic(Secret(secret)), nil, "wrong"),
      (.clientSecretPost(Secret(secret)), nil, nil), (.clientSecretPost(Secret(secret)), "wrong", nil),
      (.clientSecretPost(Secret(secret)), nil, secret), (.none, secret, nil), (.none, nil, secret),
    ] as [(Sandbox.Client.Authentication, String?, String?)])
  func refuses(authentication: Sandbox.Client.Authentication, posted: String?, basic secret: String?) async throws {
    let harness = try harness(authentication)
    let answer = try await harness.redeem(
      try harness.code(), ["client_secret": posted], fields: secret.map { basic("almanac", $0) } ?? [:])
    #expect(answer.status == 401)
    #expect(answer["error"] == "invalid_client")
    #expect(answer.response.fields["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
  }

  @Test func aSecretThatIsNotEncodedIsAnotherSecret() async throws {
    let harness = try harness(.clientSecretBasic(Secret(Self.secret)))
    let fields = basic("almanac", Self.secret, encoded: false)
    #expect(try await harness.redeem(try harness.code(), fields: fields)["error"] == "invalid_client")
  }
}
