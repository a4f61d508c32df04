// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct ClientAuthenticationTests {
  private static let secret = "s3cret:+ /é%"

  private func basic(_ id: String, encoded: Bool = true) -> HTTPFields {
    let encode = { (text: String) in encoded ? FormEncoding.form.encode(text) : text }
    return ["Authorization": "Basic \(Data("\(encode(id)):\(encode(Self.secret))".utf8).base64EncodedString())"]
  }

  /// `token.txt` has clients that are not authenticated.
  @Test func basicCredentialsAreFormDecoded() async throws {
    let id = "client:1 é"
    let harness = try SandboxHarness {
      $0.clients = ["almanac", id].map {
        .init(
          id: $0, name: "App", redirectURIs: ["http://127.0.0.1/callback"],
          authentication: .clientSecretBasic(Secret(Self.secret)))
      }
    }
    // The identifier may be repeated in the content.
    for repeated in [nil, id] {
      let code = try harness.code(["client_id": id])
      #expect(try await harness.redeem(code, ["client_id": repeated], fields: basic(id)).status == 200)
    }
    let fields = basic("almanac", encoded: false)
    #expect(try await harness.redeem(try harness.code(), fields: fields)["error"] == "invalid_client")
  }
}
