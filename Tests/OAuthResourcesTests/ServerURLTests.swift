// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthResources
import Testing

/// The rules for the URLs that a server's documents name.
@Suite struct ServerURLTests {
  private static let issuer = "https://login.example"
  private static let resource = URL(literal: "https://tools.example/mcp")

  /// A server at `login.example` and a resource at `tools.example`, whose documents name `url`.
  private static func network(naming kind: ServerURL, _ url: String) -> StubTransport {
    let member = kind == .mtlsEndpointAliases ? #"{"token_endpoint":"\#(url)"}"# : "\"\(url)\""
    var server = [
      "issuer": "\"\(issuer)\"", "code_challenge_methods_supported": #"["S256"]"#,
      "authorization_endpoint": "\"\(issuer)/authorize\"", "token_endpoint": "\"\(issuer)/token\"",
    ]
    server[kind.rawValue] = member
    let metadata = "{" + server.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    let issuer = kind == .authorizationServers ? url : issuer
    return StubTransport { request in
      switch request.url.absoluteString {
      case resource.absoluteString:
        HTTPResponse(
          status: 401,
          fields: ["WWW-Authenticate": kind == .resourceMetadata ? "Bearer resource_metadata=\"\(url)\"" : "Bearer"])
      case "https://tools.example/.well-known/oauth-protected-resource/mcp", kind == .resourceMetadata ? url : "":
        Fixtures.json(#"{"resource":"\#(resource)","authorization_servers":["\#(issuer)"]}"#)
      case "\(issuer)/.well-known/openid-configuration":
        Fixtures.json(metadata.replacing(Self.issuer, with: issuer))
      case "\(Self.issuer)/device":
        Fixtures.json(
          #"{"device_code":"d","user_code":"u","verification_uri":"\#(Self.issuer)/", "\#(kind.rawValue)":"\#(url)"}"#)
      case "\(Self.issuer)/register":
        Fixtures.json(#"{"client_id":"c","registration_access_token":"t","\#(kind.rawValue)":"\#(url)"}"#)
      case url where request.method == .delete: HTTPResponse(status: 204)
      default: HTTPResponse(status: 404)
      }
    }
  }

  /// Returns whether the program uses a URL that a document names, through the public call that reads the document.
  private static func uses(_ kind: ServerURL, _ url: String, _ transport: StubTransport) async throws -> Bool {
    var server = Fixtures.server()
    server.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device")
    server.registrationEndpoint = URL(literal: "https://login.example/register")
    switch kind {
    case .authorizationEndpoint, .tokenEndpoint, .revocationEndpoint, .userinfoEndpoint, .jwksURI,
      .deviceAuthorizationEndpoint, .pushedAuthorizationRequestEndpoint, .introspectionEndpoint, .endSessionEndpoint,
      .registrationEndpoint, .mtlsEndpointAliases:
      let found = try await ServerMetadata.discover(issuer: issuer, transport: transport)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      return String(decoding: try encoder.encode(found), as: UTF8.self).contains(url)
    case .authorizationServers, .resourceMetadata:
      let known = KnownClient(
        ClientRegistration(clientID: "app"), issuer: kind == .authorizationServers ? url : issuer, resources: [resource]
      )
      var identity = ClientIdentity()
      identity.known = [known]
      _ = try await ResourceAccess.discover(resource, as: identity, transport: transport)
      return transport.requests.contains { $0.url.absoluteString.hasPrefix(url) }
    case .verificationURI, .verificationURIComplete:
      let client = try OAuthClient(
        server: server, registration: ClientRegistration(clientID: "app"), transport: transport)
      let device = try await client.beginDeviceAuthorization(scopes: [])
      return [device.verificationURI, device.verificationURIComplete].contains(URL(string: url))
    case .registrationClientURI:
      let registrar = ClientRegistrar(server: server, transport: transport)
      try await registrar.delete(try await registrar.register(ClientMetadata()))
      return transport.requests.contains { $0.method == .delete }
    case .clientURI, .logoURI, .tosURI, .policyURI, .picture: return false
    }
  }

  /// URLs that no document of a server on the internet can name.
  private static let hostile = [
    "http://login.example/x", "ftp://login.example/x", "http://127.0.0.1:631/x", "https://localhost/x",
    "http://[::1]/x", "https://10.0.0.1/x", "https://169.254.169.254/x", "https://printer.local/x",
    "https://metadata.google.internal/x", "https://2130706433/x",
    "https://login.example/" + String(repeating: "x", count: 2_048),
  ]

  @Test(arguments: ServerURL.allCases.filter { $0.rule != .value })
  func serverOnTheInternetNamesNothingPrivateInsecureOrHuge(_ kind: ServerURL) async throws {
    for url in Self.hostile
      + (kind.rule == .ownOrigin ? ["https://other.example/x", "https://login.example:8443/x"] : [])
    {
      let transport = Self.network(naming: kind, url)
      let isUsed: Bool
      do { isUsed = try await Self.uses(kind, url, transport) } catch is OAuthError { isUsed = false }
      #expect(!isUsed, "\(url)")
      #expect(!transport.requests.contains { $0.url.absoluteString.hasPrefix(url) }, "\(url)")
    }
    let good = kind.rule == .ownOrigin ? "https://login.example/x" : "https://other.example/x"
    #expect(try await Self.uses(kind, good, Self.network(naming: kind, good)))
  }

  /// The URLs that the caller names, and those that this program makes from the ones that have a rule.
  private static let own: Set<String> = [
    "authorizationURL", "callback", "logoutURL", "metadataURL", "redirectURI", "redirectURIs", "resource", "resources",
    "url", "urlWithoutIDToken",
  ]

  @Test func everyURLOfADocumentHasARule() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let names = Set(ServerURL.allCases.map { $0.rawValue.replacing("_", with: "").lowercased() })
    var count = 0
    for module in ["OAuthCore", "OAuthResources", "OpenIDConnect"] {
      let files = FileManager.default.enumerator(
        at: sources.appending(path: module), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for property in text.matches(of: /\n  (?:(?:public|package|private) )?(?:let|var) (\w+): \[?(?:String: )?URL\b/)
        {
          let name = String(property.1)
          count += 1
          #expect(
            Self.own.contains(name) || names.contains(name.lowercased()),
            "\(file.lastPathComponent): \(name) has no rule")
        }
      }
    }
    #expect(count > 30)
  }
}
