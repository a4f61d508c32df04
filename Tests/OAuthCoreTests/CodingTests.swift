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

/// Encoded values are decoded again, member by member.
@Suite struct CodingTests {
  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func reread<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private static let client = #"""
    "client_name":"App","client_uri":"https://app.example/","contacts":["a@app.example"],"dpop_bound_access_tokens":true,\#
    "grant_types":["authorization_code"],"jwks":{"keys":[{"kty":"EC"}]},"jwks_uri":"https://app.example/keys",\#
    "logo_uri":"https://app.example/logo","policy_uri":"https://app.example/policy",\#
    "redirect_uris":["https://app.example/callback"],"request_object_signing_alg":"ES256",\#
    "require_pushed_authorization_requests":true,"response_types":["code"],"scope":"read","software_id":"id",\#
    "software_statement":"a.b.c","software_version":"1","tls_client_auth_subject_dn":"CN=app",\#
    "token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_signing_alg":"PS256","tos_uri":"https://app.example/tos"
    """#

  @Test func metadataOfAClientIsWrittenAsItWasRead() throws {
    let json = #"{"application_type":"native",\#(Self.client)}"#
    #expect(try text(JSONDecoder().decode(ClientMetadata.self, from: Data(json.utf8))) == json)
    #expect(try text(ClientMetadata()) == "{}")
  }

  @Test(arguments: [
    #""client_secret_expires_at":2893276800"#, #""client_secret_expires_at":0"#,
  ])
  func registeredClientIsWrittenAsItWasRead(_ expiry: String) throws {
    let json =
      #"{"client_id":"app","client_id_issued_at":2893256800,"client_secret":"s",\#(expiry),"redirect_uris":["https://app.example/"],"registration_access_token":"t","registration_client_uri":"https://login.example/r/1"}"#
    let client = try JSONDecoder().decode(RegisteredClient.self, from: Data(json.utf8))
    #expect(try text(client) == json)
    #expect(try reread(client) == client)
    #expect(
      try text(JSONDecoder().decode(RegisteredClient.self, from: Data(#"{"client_id":"a"}"#.utf8)))
        == #"{"client_id":"a"}"#)
  }

  private static let endpoints = [
    "authorization_endpoint", "device_authorization_endpoint", "end_session_endpoint", "introspection_endpoint",
    "jwks_uri", "pushed_authorization_request_endpoint", "registration_endpoint", "revocation_endpoint",
    "userinfo_endpoint",
  ]

  /// Every member that a server may leave out.
  private static let members: [String: String] = {
    var members = Dictionary(uniqueKeysWithValues: endpoints.map { ($0, #""https://login.example/\#($0)""#) })
    for name in [
      "authorization_response_iss_parameter_supported", "client_id_metadata_document_supported",
      "require_pushed_authorization_requests", "require_signed_request_object",
    ] { members[name] = "true" }
    for name in [
      "authorization_details_types_supported", "code_challenge_methods_supported",
      "dpop_signing_alg_values_supported",
      "grant_types_supported", "introspection_endpoint_auth_methods_supported", "protected_resources",
      "request_object_signing_alg_values_supported", "revocation_endpoint_auth_methods_supported",
      "scopes_supported", "token_endpoint_auth_methods_supported",
      "token_endpoint_auth_signing_alg_values_supported",
    ] { members[name] = #"["\#(name)"]"# }
    members["mtls_endpoint_aliases"] = #"{"token_endpoint":"https://mtls.example/token"}"#
    return members
  }()

  private func document(_ members: [String: String]) -> String {
    let required = ["issuer": #""https://login.example""#, "token_endpoint": #""https://login.example/token""#]
    let all = members.merging(required) { $1 }.sorted { $0.key < $1.key }
    return "{" + all.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
  }

  /// Discovers a server that publishes one document at the URL of OpenID Connect and one at that of RFC 8414.
  private func discover(_ first: String, _ second: String? = nil) async throws -> (ServerMetadata, requests: Int) {
    let transport = StubTransport { request in
      let text = request.url.path().hasSuffix("openid-configuration") ? first : second
      return text.map { Fixtures.json($0) } ?? HTTPResponse(status: 404)
    }
    let server = try await ServerMetadata.discover(issuer: "https://login.example", transport: transport)
    return (server, transport.requests.count)
  }

  @Test func metadataOfAServerIsWrittenAsItWasRead() async throws {
    let whole = document(Self.members)
    #expect(try text(JSONDecoder().decode(ServerMetadata.self, from: Data(whole.utf8))) == whole)
    // From the first document, from the second, and from each a part.
    #expect(try text(await discover(whole).0) == whole)
    #expect(try text(await discover(document([:]), whole).0) == whole)
    for name in Self.members.keys {
      var others = Self.members
      let member = others.removeValue(forKey: name)
      #expect(
        try text(await discover(document(others), document([name: member ?? ""])).0)
          == (others.isComplete ? document(others) : whole), "\(name)")
    }
  }

  @Test(
    "A second document is requested if the first lacks one of these",
    arguments: [
      "authorization_endpoint", "revocation_endpoint", "token_endpoint_auth_methods_supported",
      "authorization_response_iss_parameter_supported",
    ])
  func secondDocumentIsRequestedForWhatIsUsed(_ name: String) async throws {
    var others = Self.members
    #expect(try await discover(document(others)).requests == 1)
    others[name] = nil
    #expect(try await discover(document(others)).requests == 2)
  }

  @Test func pendingAuthorizationIsKeptWhole() async throws {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [URL(literal: "https://api.example/")]
    parameters.maximumAge = .seconds(60)
    let client = try Fixtures.client { $0.registration.dpop = .required }
    let pending = try await client.beginAuthorization(
      scopes: ["openid"], redirectURI: Fixtures.redirect, parameters: parameters, lifetime: .milliseconds(1500))
    #expect(pending.nonce != nil && pending.proofKey != nil && pending.authentication.maximumAge == .seconds(60))
    #expect(try reread(pending) == pending)
    let bare = try await Fixtures.client(StubTransport()).begin()
    #expect(bare.nonce == nil && bare.proofKey == nil)
    #expect(try reread(bare) == bare)
  }

  @Test func pendingAuthorizationOfAnOlderRecordHasNoRequirement() async throws {
    let pending = try await Fixtures.client(StubTransport()).begin()
    var members = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(pending)) as? [String: Any])
    members["authentication"] = nil
    members["resources"] = nil
    let data = try JSONSerialization.data(withJSONObject: members)
    #expect(try JSONDecoder().decode(PendingAuthorization.self, from: data) == pending)
  }

  @Test func deviceAuthorizationIsKeptWhole() async throws {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [URL(literal: "https://api.example/")]
    for complete in [#","verification_uri_complete":"https://login.example/?u""#, ""] {
      let response =
        #"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/","expires_in":90,"interval":7\#(complete)}"#
      let client = try Fixtures.client(StubTransport(Fixtures.json(response)), server: Fixtures.fullServer) {
        $0.registration.dpop = .required
      }
      let device = try await client.beginDeviceAuthorization(scopes: ["read"], parameters: parameters)
      #expect(device.proofKey != nil && device.interval == .seconds(7) && device.lifetime == .seconds(90))
      #expect((device.verificationURIComplete == nil) == complete.isEmpty)
      #expect(try reread(device) == device)
    }
  }

  @Test func authorizationDetailIsKeptWhole() throws {
    let detail = try AuthorizationDetail(type: "payment", ["amount": "1", "type": "other"])
    #expect(try text(detail) == #"{"amount":"1","type":"payment"}"#)
    #expect(try reread(detail) == detail)
    #expect(try detail.decode([String: String].self) == ["amount": "1", "type": "payment"])
    #expect(try text(AuthorizationDetail(type: "bare")) == #"{"type":"bare"}"#)
  }
}

extension [String: String] {
  /// Whether the members of a document are those for which no second document is requested.
  fileprivate var isComplete: Bool {
    [
      "authorization_endpoint", "revocation_endpoint", "token_endpoint_auth_methods_supported",
      "authorization_response_iss_parameter_supported",
    ].allSatisfy(keys.contains)
  }
}
