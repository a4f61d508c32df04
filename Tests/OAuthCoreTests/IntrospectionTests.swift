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
    let client = try Fixtures.client(
      transport, server: Fixtures.fullServer, authentication: .clientSecretPost(Secret("s3cret"))
    ) { $0.registration.clientID = "api" }
    return (client, transport)
  }

  /// RFC 7662 § 2.2, with three more members.
  private static let example = Fixtures.json(
    """
    {"active":true,"client_id":"l238j323ds-23ij4","username":"jdoe","scope":"read write dolphin",
     "sub":"Z5O3upPC88QrAjx00dis","aud":"https://protected.example.net/resource","iss":"https://server.example.com/",
     "exp":1419356238,"iat":1419350238,"nbf":1419350239,"jti":"j","token_type":"DPoP","extension_field":"twenty-seven"}
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
    #expect(token.notBefore == Timestamp(secondsSince1970: 1_419_350_239))
    #expect(token.tokenType == "DPoP" && token.tokenID == "j")
    struct Extension: Decodable {
      let field: String
      enum CodingKeys: String, CodingKey { case field = "extension_field" }
    }
    #expect(try token.decode(Extension.self).field == "twenty-seven")
  }

  @Test func nothingIsBelievedOfATokenThatIsNotActive() async throws {
    let (client, transport) = try client(
      Fixtures.json(#"{"active":false,"scope":"read","sub":"x","exp":1,"username":"jdoe"}"#))
    let token = try await client.introspect(Secret("t"))
    #expect(!token.isActive && token.scopes.isEmpty && token.subject == nil && token.expiresAt == nil)
    #expect(transport.requests.first?.form["token_type_hint"] == nil)
  }

  @Test func oddMembersDoNotCostTheDecision() async throws {
    let (other, _) = try client(Fixtures.json(#"{"active":true,"scope":["read","write"]}"#))
    #expect(try await other.introspect(Secret("t")).scopes == ["read", "write"])
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
    await expectError(.invalidResponse) { try await client.introspect(Secret("t")) }
  }
}
