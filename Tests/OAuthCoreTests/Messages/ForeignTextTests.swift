// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import TestSupport
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
  }

  @Test(arguments: cuts) func textIsCut(_ cut: Cut) async throws {
    let error = try #require(await #expect(throws: OAuthError.self) { try await cut.body() })
    #expect(error.message.count { $0 == "Z" } == cut.limit, "\(error.message)")
  }

  private static func url(_ prefix: String) throws -> URL { try #require(URL(string: prefix + long)) }

  private static func complete(_ query: String) async throws {
    let client = try Fixtures.client(StubTransport(), issRequired: query.contains("error"))
    let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
    _ = try await client.completeAuthorization(pending, callback: Fixtures.callback(pending, query))
  }

  private static func stored(_ change: @escaping @Sendable (inout StoredToken) -> Void) async throws {
    let client = try Fixtures.client(StubTransport())
    let storage = try await InMemoryTokenStorage.holding(ErrorMessageTests.token(change))
    _ = try await RefreshingTokenSource(client: client, storage: storage, account: "me").accessToken()
  }

  private static let request = HTTPRequest(.get, URL(literal: "https://api.example/"))

  private static let cuts: [Cut] = [
    // The rest of 200 characters after the beginning of a URL.
    Cut(testDescription: "an issuer", limit: 188) {
      let client = try ErrorMessageTests.client {
        $0.provider.server.issuer = "https://a.b/" + long
        $0.provider.server.authorizationEndpoint = nil
      }
      _ = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
    },
    Cut(testDescription: "the name of a parameter", limit: 32) {
      try await complete("\(long)=1&\(long)=2&state=STATE")
    },
    Cut(testDescription: "an error without its issuer", limit: 64) {
      try await complete("error=\(long)&state=STATE")
    },
    Cut(testDescription: "the issuer of a response", limit: 200) {
      try await complete("iss=\(long)&code=1&state=STATE")
    },
    Cut(testDescription: "a redirect URI", limit: 191) {
      _ = try await ErrorMessageTests.client().beginAuthorization(scopes: [], redirectURI: url("http://a/"))
    },
    Cut(testDescription: "a resource", limit: 191) {
      var parameters: AuthorizationParameters = [:]
      parameters.resources = [try url("http://a#")]
      _ = try await ErrorMessageTests.client().beginAuthorization(
        scopes: [], redirectURI: Fixtures.redirect, parameters: parameters)
    },
    Cut(testDescription: "an endpoint", limit: 190) {
      let endpoint = try url("http://ab/")
      _ = try ErrorMessageTests.client { $0.provider.server.tokenEndpoint = endpoint }
    },
    Cut(testDescription: "an alias", limit: 64) {
      _ = try ErrorMessageTests.client { $0.provider.server.mtlsEndpointAliases = [long: URL(literal: "http://a/")] }
    },
    Cut(testDescription: "the issuer of a record", limit: 200) { try await stored { $0.issuer = long } },
    Cut(testDescription: "the client of a record", limit: 200) { try await stored { $0.clientID = long } },
    Cut(testDescription: "the type of a token", limit: 32) {
      var request = Self.request
      try BearerPresentation().authorize(&request, with: AccessToken(Secret("a"), type: long))
    },
    Cut(testDescription: "the type of a token that is not bound", limit: 32) {
      var request = Self.request
      try DPoPPresentation().authorize(&request, with: AccessToken(Secret("a"), type: long))
    },
    Cut(testDescription: "an issuer that is not secure", limit: 193) {
      _ = try await ServerMetadata.discover(issuer: "http://" + long, transport: StubTransport())
    },
    Cut(testDescription: "a domain", limit: 199) {
      _ = try await Provider.okta(domain: "/" + long, transport: StubTransport())
    },
  ]
}
