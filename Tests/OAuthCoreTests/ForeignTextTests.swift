// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// The text of a server, a record or a URL in a message is cut.
@Suite struct ForeignTextTests {
  /// More than any limit.
  private static let long = String(repeating: "Z", count: 400)

  /// The maximum number of characters that are shown of a text, and a value that shows it.
  struct Cut: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let limit: Int
    let body: @Sendable () async throws -> Void

    init(_ testDescription: String, _ limit: Int, _ body: @escaping @Sendable () async throws -> Void) {
      (self.testDescription, self.limit, self.body) = (testDescription, limit, body)
    }
  }

  @Test(arguments: cuts) func textIsCut(_ cut: Cut) async throws {
    let error = try #require(await #expect(throws: OAuthError.self) { try await cut.body() })
    #expect(error.message.count { $0 == "Z" } == cut.limit, "\(error.message)")
  }

  private static func url(_ prefix: String) throws -> URL { try #require(URL(string: prefix + long)) }

  private static func complete(_ query: String) async throws {
    try await Fixtures.client(server: Fixtures.server(issRequired: query.contains("error")))
      .signIn(by: query)
  }

  private static func stored(_ change: (inout StoredToken) -> Void) async throws {
    var token = Fixtures.expired(ManualClock())
    change(&token)
    _ = try await Fixtures.client().refresh(token)
  }

  private static func present(_ authorize: (inout HTTPRequest, AccessToken) throws -> Void) throws {
    var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
    try authorize(&request, AccessToken(Secret("a"), type: long))
  }

  private static let cuts: [Cut] = [
    // The rest of 200 characters after the beginning of a URL.
    Cut("an issuer", 188) {
      let client = try Fixtures.client {
        $0.server.issuer = "https://a.b/" + long
        $0.server.authorizationEndpoint = nil
      }
      _ = try await client.begin()
    },
    Cut("the name of a parameter", 32) {
      try await complete("\(long)=1&\(long)=2&state=STATE")
    },
    Cut("an error without its issuer", 64) {
      try await complete("error=\(long)&state=STATE")
    },
    Cut("the issuer of a response", 200) {
      try await complete("iss=\(long)&code=1&state=STATE")
    },
    Cut("a redirect URI", 191) {
      _ = try await Fixtures.client().beginAuthorization(scopes: [], redirectURI: url("http://a/"))
    },
    Cut("a resource", 191) {
      var parameters: AuthorizationParameters = [:]
      parameters.resources = [try url("http://a#")]
      _ = try await Fixtures.client().begin(parameters: parameters)
    },
    Cut("an endpoint", 190) {
      let endpoint = try url("http://ab/")
      _ = try Fixtures.client { $0.server.tokenEndpoint = endpoint }
    },
    Cut("an alias", 64) {
      _ = try Fixtures.client { $0.server.mtlsEndpointAliases = [long: URL(literal: "http://a/")] }
    },
    Cut("the issuer of a record", 200) { try await stored { $0.issuer = long } },
    Cut("the client of a record", 200) { try await stored { $0.clientID = long } },
    Cut("the type of a token", 32) { try present(BearerPresentation().authorize) },
    Cut("the type of a token that is not bound", 32) { try present(DPoPPresentation().authorize) },
    Cut("an issuer that is not secure", 193) {
      _ = try await ServerMetadata.discover(issuer: "http://" + long, transport: StubTransport())
    },
    Cut("a domain", 199) {
      _ = try await Provider.okta(domain: "/" + long, transport: StubTransport())
    },
  ]
}
