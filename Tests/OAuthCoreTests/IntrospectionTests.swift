// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import Timekeeping
import TokenStore

@Suite struct IntrospectionTests {
  private func client(_ response: HTTPResponse) throws -> (OAuthClient, StubTransport) {
    let transport = StubTransport(response)
    var server = Fixtures.server()
    server.introspectionEndpoint = URL(literal: "https://login.example/introspect")
    let registration = ClientRegistration(clientID: "api", authentication: .clientSecretPost(Secret("s3cret")))
    return (try OAuthClient(server: server, registration: registration, transport: transport), transport)
  }

  /// RFC 7662 § 2.2.
  private static let example = Fixtures.json(
    """
    {"active":true,"client_id":"l238j323ds-23ij4","username":"jdoe","scope":"read write dolphin",
     "sub":"Z5O3upPC88QrAjx00dis","aud":"https://protected.example.net/resource","iss":"https://server.example.com/",
     "exp":1419356238,"iat":1419350238,"extension_field":"twenty-seven"}
    """)

  @Test func requestAndResponseAreThoseOfTheSpecification() async throws {
    let (client, transport) = try client(Self.example)
    let token = try await client.introspect(Secret("mF_9.B5f-4.1JqM"), hint: .accessToken)
    let request = try #require(transport.requests.first)
    #expect(request.method == .post && request.url.absoluteString == "https://login.example/introspect")
    #expect(
      request.form == [
        "token": "mF_9.B5f-4.1JqM", "token_type_hint": "access_token", "client_id": "api", "client_secret": "s3cret",
      ])
    #expect(token.isActive && token.scopes == ["read", "write", "dolphin"])
    #expect(token.clientID == "l238j323ds-23ij4" && token.username == "jdoe")
    #expect(token.subject == "Z5O3upPC88QrAjx00dis" && token.issuer == "https://server.example.com/")
    #expect(token.audience == ["https://protected.example.net/resource"])
    #expect(token.expiresAt == Timestamp(secondsSince1970: 1_419_356_238))
    #expect(token.issuedAt == Timestamp(secondsSince1970: 1_419_350_238))
    #expect(token.tokenType == nil && token.notBefore == nil && token.tokenID == nil)
    struct Extension: Decodable {
      let field: String
      enum CodingKeys: String, CodingKey { case field = "extension_field" }
    }
    #expect(try token.decode(Extension.self).field == "twenty-seven")
    var text = "\(token)"
    dump(token, to: &text)
    #expect(!text.contains("jdoe") && !text.contains("Z5O3"))
  }

  @Test func nothingIsBelievedOfATokenThatIsNotActive() async throws {
    let (client, transport) = try client(
      Fixtures.json(#"{"active":false,"scope":"read","sub":"x","exp":1,"username":"jdoe"}"#))
    let token = try await client.introspect(Secret("t"))
    #expect(!token.isActive && token.scopes.isEmpty && token.subject == nil && token.expiresAt == nil)
    #expect(transport.requests.first?.form["token_type_hint"] == nil)
  }

  @Test func scopesMayBeAList() async throws {
    let (client, _) = try client(Fixtures.json(#"{"active":true,"scope":["read","write"]}"#))
    #expect(try await client.introspect(Secret("t")).scopes == ["read", "write"])
  }

  @Test func oddMembersDoNotCostTheDecision() async throws {
    let (client, _) = try client(
      Fixtures.json(#"{"active":true,"scope":7,"exp":"1419356238","iat":1e300,"aud":["a","b"],"sub":null,"nbf":1.5}"#))
    let token = try await client.introspect(Secret("t"))
    #expect(token.isActive && token.scopes.isEmpty && token.audience == ["a", "b"])
    #expect(token.expiresAt == Timestamp(secondsSince1970: 1_419_356_238) && token.issuedAt == nil)
    #expect(token.notBefore == Timestamp(secondsSince1970: 1))
  }

  @Test(arguments: ["{}", #"{"active":"true"}"#, #"{"active":1}"#, "<html>", ""])
  func responseThatDoesNotSayIsATypedError(_ body: String) async throws {
    let (client, _) = try client(Fixtures.json(body))
    let error = await #expect(throws: OAuthError.self) { try await client.introspect(Secret("t")) }
    #expect(error?.code == .invalidResponse)
  }

  @Test(arguments: [("invalid_client", 401), ("invalid_request", 400), ("invalid_token", 401)])
  func refusalIsReported(_ code: String, _ status: Int) async throws {
    let (client, _) = try client(
      Fixtures.json(#"{"error":"\#(code)","error_description":"token-1"}"#, status: status))
    let error = await #expect(throws: OAuthError.self) { try await client.introspect(Secret("token-1")) }
    #expect(error?.code == .requestRejected && error?.serverCode == code)
    #expect(error?.serverDescription == "<redacted>")
  }

  @Test func serverWithoutTheEndpointIsATypedError() async throws {
    let client = try Fixtures.client(StubTransport())
    let error = await #expect(throws: OAuthError.self) { try await client.introspect(Secret("t")) }
    #expect(error?.code == .unsupported)
  }
}
