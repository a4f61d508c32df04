// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import TestSupport
import Testing
import TokenStore

/// No description or dump shows a secret.
@Suite struct DescriptionTests {
  /// Returns the description, the debug description and the dump of a value.
  private static func texts(of value: Any) -> String {
    var text = "\(value) \(String(reflecting: value)) "
    dump(value, to: &text)
    return text
  }

  private static let device = Fixtures.json(
    #"{"device_code":"s3cret","user_code":"s3cret","verification_uri":"https://login.example/"}"#)

  /// Values, whose secrets are `s3cret` or are given beside them.
  private static func values() async throws -> [(value: any Sendable, secrets: [String])] {
    let key = try SigningKey.generate(.es256)
    let proofKey = try await DPoPKey.generate()
    let lines = { (pem: String) in pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.map(String.init) }
    let secret = Secret(String(repeating: "s3cret", count: 6))
    let methods: [any ClientAuthentication] = [
      .clientSecretPost(secret), .clientSecretBasic(secret), .clientSecretBasicUnencoded(secret),
      .clientSecret(secret), .privateKeyJWT(key), try .clientSecretJWT(secret),
    ]
    let client = try Fixtures.client(
      StubTransport {
        $0.url.path() == "/device" ? device : Fixtures.json(#"{"active":true,"sub":"s3cret","username":"s3cret"}"#)
      }, server: Fixtures.fullServer
    ) { $0.registration.dpop = .required }
    let pending = try await client.begin(["openid"])
    let begun = try await client.beginDeviceAuthorization(scopes: ["read"])
    var parameters: AuthorizationParameters = ["audience": "s3cret"]
    parameters.authorizationDetails = [try AuthorizationDetail(type: "payment", ["amount": "s3cret"])]
    let secrets =
      [pending.state.reveal(), pending.pkce.verifier.reveal(), pending.nonce?.reveal() ?? ""]
      + lines(pending.proofKey?.privateKey.reveal() ?? "")
    let registered = try JSONDecoder().decode(
      RegisteredClient.self,
      from: Data(#"{"client_id":"app","client_secret":"s3cret","registration_access_token":"s3cret"}"#.utf8))
    let keyLines = lines(try key.revealPEM())
    return methods.map { ($0, keyLines) } + [
      (ClientRegistration(clientID: "app", authentication: .clientSecretPost(Secret("s3cret"))), []),
      (pending, secrets),
      (
        AuthorizationResponse(pending: pending, callback: try Fixtures.callback(pending, "code=s3cret&state=STATE")), []
      ),
      (begun, lines(begun.proofKey?.privateKey.reveal() ?? "")), (parameters, []),
      (parameters.authorizationDetails, []), (proofKey, lines(try proofKey.record().privateKey.reveal())),
      (AccessToken(Secret("s3cret"), type: "DPoP", proofKey: try proofKey.record()), []),
      (try await client.introspect(Secret("s3cret")), []), (registered, []),
      (OAuthError(.requestRejected, "It failed.", serverCode: "code", serverDescription: "s3cret"), []),
    ]
  }

  @Test func noSecretIsShown() async throws {
    for (value, secrets) in try await Self.values() {
      let text = Self.texts(of: value)
      for secret in secrets + ["s3cret"] where !secret.isEmpty {
        #expect(!text.contains(secret), "\(type(of: value))")
      }
    }
  }

  /// A client authentication that shows the request.
  private struct Showing: ClientAuthentication {
    let show: @Sendable (TokenRequest) -> Void
    func authenticate(_ request: inout TokenRequest) { show(request) }
  }

  @Test func tokenRequestShowsTheNamesOfItsParameters() async throws {
    try await confirmation { shown in
      let client = try Fixtures.client(StubTransport(Fixtures.json(#"{"access_token":"a"}"#))) {
        $0.server.tokenEndpoint = URL(literal: "https://login.example/token?key=s3cret")
        $0.registration.authentication = Showing { request in
          let text = Self.texts(of: request)
          #expect(text.contains("grant_type") && text.contains("code") && !text.contains("s3cret"))
          #expect(request.secrets == [Secret("s3cret")])
          shown()
        }
      }
      _ = try await client.requestAccessToken(["grant_type": "x", "code": "s3cret"])
    }
  }

  @Test func textOfAServerAndARecordIsReducedToPrintableText() {
    let detail = AuthorizationDetail(type: "pay\u{1B}ment")
    #expect("\(detail)" == "authorization detail of type payment")
    let error = OAuthError(
      .requestRejected, "It failed.", serverCode: "\u{1F} ~\u{7F}é\n" + String(repeating: "c", count: 65))
    #expect(error.serverCode == " ~" + String(repeating: "c", count: 62))
    #expect(error.localizedDescription == "It failed.")
  }
}
