// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthJOSE
import Testing
import TokenStore

/// CIBA Core in poll mode.
@Suite struct BackchannelTests {
  private static let path = "/backchannel_authentication"
  private static let grant = "urn:openid:params:grant-type:ciba"
  private static let secret = "sandbox-secret"
  private let harness: SandboxHarness

  init() throws { harness = try SandboxHarness(Self.configuration()) }

  private static func configuration() -> Sandbox.Configuration {
    var configuration = Sandbox.Configuration(clients: [
      .native, .desktop,
      .init(id: "other", name: "Other", redirectURIs: [], authentication: .clientSecret(Secret(secret))),
    ])
    configuration.idTokenAlgorithm = .es256
    configuration.isControllable = true
    configuration.registrationAccess = .open
    configuration.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")]
    return configuration
  }

  private func begin(
    _ changes: KeyValuePairs<String, String?> = [:], at harness: SandboxHarness? = nil
  ) async throws -> Answer {
    var form: FormFields = [
      "client_id": "almanac-desktop", "client_secret": Self.secret, "scope": "openid email",
      "login_hint": "ana@example.com",
    ]
    for (name, value) in changes { form[name] = value }
    return try await (harness ?? self.harness).post(Self.path, form)
  }

  private func poll(
    _ id: String, client: String = "almanac-desktop", after seconds: Int = 5, at harness: SandboxHarness? = nil
  ) async throws -> Answer {
    let harness = harness ?? self.harness
    harness.clock.advance(by: .seconds(seconds))
    return try await harness.post(
      "/token", ["grant_type": Self.grant, "auth_req_id": id, "client_id": client, "client_secret": Self.secret])
  }

  @Test func metadataNameTheModeAndTheEndpoint() async throws {
    let metadata = try await harness.get("/.well-known/openid-configuration").object
    #expect(metadata["backchannel_authentication_endpoint"] as? String == "https://sandbox.example" + Self.path)
    #expect(metadata["backchannel_token_delivery_modes_supported"] as? [String] == ["poll"])
    #expect(metadata["backchannel_user_code_parameter_supported"] as? Bool == false)
    #expect((metadata["grant_types_supported"] as? [String])?.contains(Self.grant) == true)
  }

  @Test func tokensComeOnceTheUserHasAllowedIt() async throws {
    let begun = try await begin(["binding_message": "W4SCT"])
    #expect(begun.status == 200)
    #expect(begun.object["expires_in"] as? Int == 120 && begun.object["interval"] as? Int == 5)
    let id = try #require(begun["auth_req_id"])
    #expect(try await poll(id, after: 0)["error"] == "authorization_pending", "The first request may come at once.")
    let waiting = try #require(harness.sandbox.backchannelRequests.first)
    #expect(waiting.user == "ana@example.com" && waiting.bindingMessage == "W4SCT" && waiting.id != id)
    try harness.sandbox.approve(waiting)
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(waiting, deny: true) }
    let answer = try await poll(id)
    let claims = try #require(answer["id_token"]).split(separator: ".")[1]
    #expect(Self.decoded(claims).contains("ana@example.com"))
    #expect(answer.status == 200 && answer["refresh_token"] != nil)
    let again = try await poll(id)
    #expect(again["error"] == "invalid_grant" && again.status == 400, "An auth_req_id is good once.")
  }

  private static func decoded(_ part: Substring) -> String {
    var text = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return String(decoding: Data(base64Encoded: text) ?? Data(), as: UTF8.self)
  }

  @Test func userMayRefuse() async throws {
    let id = try #require(try await begin()["auth_req_id"])
    try harness.sandbox.approve(try #require(harness.sandbox.backchannelRequests.first), deny: true)
    #expect(try await poll(id)["error"] == "access_denied")
  }

  @Test func clientThatPollsTooOftenWaitsLonger() async throws {
    let id = try #require(try await begin()["auth_req_id"])
    #expect(try await poll(id, after: 0)["error"] == "authorization_pending")
    #expect(try await poll(id, after: 4)["error"] == "slow_down")
    #expect(try await poll(id, after: 9)["error"] == "slow_down")
    #expect(try await poll(id, after: 15)["error"] == "authorization_pending")
  }

  @Test func requestExpires() async throws {
    let id = try #require(try await begin(["requested_expiry": "30"])["auth_req_id"])
    #expect(try await poll(id, after: 30)["error"] == "expired_token")
    #expect(harness.sandbox.backchannelRequests.isEmpty)
    #expect(try await begin(["requested_expiry": "9999"]).object["expires_in"] as? Int == 120)
  }

  @Test func requestIsOfItsClient() async throws {
    let id = try #require(try await begin()["auth_req_id"])
    try harness.sandbox.approve(try #require(harness.sandbox.backchannelRequests.first))
    #expect(try await poll(id, client: "other")["error"] == "invalid_grant")
    #expect(try await poll(id).status == 200)
  }

  @Test(
    arguments: [
      (["scope": SandboxHarness.calendarScope], "invalid_scope"), (["scope": nil], "invalid_scope"),
      (["login_hint": nil], "invalid_request"),
      (["id_token_hint": "x"], "invalid_request"), (["login_hint": nil, "login_hint_token": "x"], "invalid_request"),
      (["login_hint": nil, "id_token_hint": "x.y.z"], "invalid_request"), (["login_hint": "no@one"], "unknown_user_id"),
      (["binding_message": "a\nb"], "invalid_binding_message"),
      (["requested_expiry": "0"], "invalid_request"), (["request": "x"], "invalid_request"),
      (["client_secret": "odd"], "invalid_client"),
      (["client_id": "almanac", "client_secret": nil], "unauthorized_client"),
    ] as [(KeyValuePairs<String, String?>, String)])
  func requestIsChecked(_ changes: KeyValuePairs<String, String?>, _ error: String) async throws {
    let refused = try await begin(changes)
    #expect(refused["error"] == error && refused.status == (error == "invalid_client" ? 401 : 400))
  }

  @Test func idTokenNamesTheUser() async throws {
    let id = try #require(try await begin()["auth_req_id"])
    try harness.sandbox.approve(try #require(harness.sandbox.backchannelRequests.first))
    let token = try #require(try await poll(id)["id_token"])
    harness.clock.advance(by: .seconds(7200))
    #expect(try await begin(["login_hint": nil, "id_token_hint": token]).status == 200)
    #expect(harness.sandbox.backchannelRequests.map(\.user) == ["ana@example.com"])
  }

  @Test func clientRegistersItsDeliveryMode() async throws {
    let url = try #require(URL(string: "https://sandbox.example/register"))
    let grant = #""grant_types":["\#(Self.grant)"]"#
    let page = #""redirect_uris":["https://app.example/callback"]"#
    let (poll, ping) = (
      #","backchannel_token_delivery_mode":"poll""#, #","backchannel_token_delivery_mode":"ping""#
    )
    for (metadata, status) in [
      (grant + poll, 201), (grant + ping, 400), (grant, 400),
      // A mode that the server does not have is refused without the grant, too.
      (page + poll, 201), (page + ping, 400), (page, 201),
    ] {
      let body = "{\(metadata)}"
      let request = HTTPRequest(.post, url, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
      #expect(try await harness.send(request).status == status)
    }
  }

  @Test func consentingUserIsNotAsked() async throws {
    var configuration = Self.configuration()
    configuration.consentingUser = "ana@example.com"
    let harness = try SandboxHarness(configuration)
    let id = try #require(try await begin(at: harness)["auth_req_id"])
    #expect(try await poll(id, at: harness).status == 200)
    let other = try #require(try await begin(["login_hint": "person@example.com"], at: harness)["auth_req_id"])
    #expect(try await poll(other, at: harness)["error"] == "authorization_pending", "Another user has not agreed.")
  }
}
