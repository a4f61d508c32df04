// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthJOSE
import TestSupport
import Testing

@Suite(.takesTurns) struct DiscoverCommandTests {
  @Test func issuerIsShownWithTheFeaturesToUse() async throws {
    let harness = CommandHarness()
    let json = try await harness.run("discover", "https://sandbox.invalid", "--json").json
    let server = try #require(json["servers"]?.array?.first)
    #expect(server["metadata"]?["token_endpoint"]?.string == "https://sandbox.invalid/token")
    #expect(server["use"]?["pkce"]?.string == "S256")
    #expect(server["use"]?["deviceAuthorization"]?.string == "offered: sign-in --device")
    #expect(json["resource"] == nil)
    let text = await harness.run("discover", "https://sandbox.invalid").output
    #expect(text.contains("https://sandbox.invalid/token") && text.contains("Almanac would use"))
  }

  @Test func requiredPushedRequestsAreDistinguished() async throws {
    var configuration = Sandbox.Configuration()
    configuration.requiresPushedAuthorizationRequests = true
    let harness = CommandHarness(configuration: configuration)
    let json = try await harness.run("discover", "https://sandbox.invalid", "--json").json
    let use = json["servers"]?.array?.first?["use"]
    #expect(use?["pushedAuthorizationRequests"]?.string?.contains("requires") == true)
  }

  @Test(arguments: [true, false]) func supportedProofsAreShown(_ isSupported: Bool) async throws {
    var configuration = Sandbox.Configuration()
    configuration.proofs?.algorithms = [.es256, .ps256]
    if !isSupported { configuration.proofs = nil }
    let harness = CommandHarness(configuration: configuration)
    let json = try await harness.run("discover", "https://sandbox.invalid", "--json").json
    let dpop = json["servers"]?.array?.first?["use"]?["dpop"]?.string
    #expect(
      dpop == (isSupported ? "supported by the server: ES256 PS256" : "not listed by the server"))
  }

  /// An API that demands DPoP and names its authorization server by a challenge.
  private static let api: @Sendable (any Transport) -> any Transport = { base in
    StubTransport { request in
      guard request.url.host() == "api.invalid" else { return try await base.send(request) }
      switch request.url.path() {
      case "/mcp":
        return HTTPResponse(
          status: 401,
          fields: ["WWW-Authenticate": #"Bearer resource_metadata="https://api.invalid/about""#])
      case "/about":
        return HTTPResponse(
          status: 200,
          body: Array(
            """
            {"resource": "https://api.invalid/mcp", "authorization_servers": ["https://sandbox.invalid", "https://gone.example"],
            "scopes_supported": ["a", "b"], "resource_name": "\u{9B}31mAPI", "dpop_bound_access_tokens_required": true}
            """.utf8))
      default: return HTTPResponse(status: 404)
      }
    }
  }

  @Test(arguments: [[], ["--resource"]]) func apiLeadsToItsAuthorizationServers(_ options: [String]) async throws {
    let harness = CommandHarness(transport: Self.api)
    let json = try await harness.run(["discover", "https://api.invalid/mcp", "--json"] + options).json
    #expect(json["resource"]?["scopesSupported"] == ["a", "b"])
    #expect(json["servers"]?.array?.count == 1)
    #expect(json["servers"]?.array?.first?["use"]?["dpop"]?.string?.hasPrefix("required by the resource; ") == true)
    #expect(json["failures"]?.array?.count == 1)
  }

  @Test func nameOfAnAPIBringsNoControlCharacters() async throws {
    let text = await CommandHarness(transport: Self.api).run("discover", "https://api.invalid/mcp").output
    #expect(text.contains("31mAPI") && !text.contains("\u{9B}"))
  }

  @Test(arguments: ["http://api.invalid/", "nonsense", "ftp://a", ""])
  func insecureURLIsAUsageError(_ url: String) async throws {
    let result = await CommandHarness(transport: { _ in StubTransport() }).run("discover", url)
    #expect(result.status == .usage)
  }

  @Test func urlWithoutMetadataIsAFailure() async throws {
    let harness = CommandHarness(transport: { _ in StubTransport { _ in HTTPResponse(status: 404) } })
    let result = await harness.run("discover", "https://a.example/", "--json")
    #expect(result.status == .failure)
    #expect(result.error?["code"]?.string == "invalidResponse")
  }
}
