// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// Redirect URIs, of clients with registered ones and of the client that is treated as a desktop app.
@Suite struct AuthorizationTests {
  private static let desktop = Sandbox.Client.desktop.id

  private static let addresses = [
    "https://attacker.example/callback", "http://127.0.0.1:49152/callback/", "http://127.0.0.1:49152/callback?next=1",
    "http://127.0.0.1:49152/callback#a", "http://127.0.0.1:49152/other", "http://localhost:49152/callback",
    "http://127.0.0.2:49152/callback", "https://127.0.0.1:49152/callback", "http://127.0.0.1:0/callback",
    "http://127.0.0.1:65536/callback", "http://127.0.0.1:/callback", "http://127.0.0.1:80@attacker.example/callback",
    "http://127.0.0.1.attacker.example/callback", "http://user@127.0.0.1/callback",
  ]
  private static let addressesForDesktop = [
    "http://attacker.example/", "http://localhost.attacker.example/", "http://localhost@attacker.example/",
    "http://localhost:80@attacker.example/", "https://localhost/", "http://localhost:0/", "http://localhost:65536/",
    "http://localhost:/", "http://localhost/#a", "http://LOCALHOST.example/", "http://127.0.0.2/", "localhost",
    "com.example.app:/callback",
  ]
  private static let untrusted: [(client: String?, address: String?)] =
    [(nil, SandboxHarness.redirectURI), ("stranger", SandboxHarness.redirectURI), ("almanac", nil)]
    + addresses.map { ("almanac", $0) } + addressesForDesktop.map { (desktop, $0) }

  @Test("Who asks, or where to, is not believed: an error page, never a redirect", arguments: untrusted)
  func neverRedirects(client: String?, address: String?) async throws {
    let harness = try SandboxHarness()
    try await expectPage(harness, try harness.authorizationURL(["client_id": client, "redirect_uri": address]))
  }

  @Test(arguments: ["client_id", "redirect_uri"])
  func aRepeatedIdentityIsNoIdentity(name: String) async throws {
    let harness = try SandboxHarness()
    var fields = FormEncoding.form.decode(try harness.authorizationURL().query(percentEncoded: true) ?? "")
    fields.append(name, try #require(fields[name]))
    try await expectPage(harness, try harness.url(fields))
  }

  private func expectPage(_ harness: SandboxHarness, _ url: URL) async throws {
    let answer = try await harness.send(HTTPRequest(.get, url))
    #expect(answer.status == 400 && answer.response.fields["Location"] == nil)
    #expect(answer.response.fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(url) }
  }

  @Test(
    "Any port of a loopback IP literal is accepted, and any host name, port and path of it for a desktop app",
    arguments: [
      ("almanac", "http://127.0.0.1/callback"), ("almanac", "http://127.0.0.1:1/callback"),
      ("almanac", "http://[::1]:65535/callback"), (desktop, "http://localhost"), (desktop, "http://localhost/"),
      (desktop, "http://localhost:8080/"), (desktop, "http://localhost:1/oauth/callback?a=b"),
      (desktop, "http://127.0.0.1:65535/"), (desktop, "http://127.0.0.1"), (desktop, "http://[::1]:53682/cb"),
    ])
  func loopbackRedirects(client: String, address: String) throws {
    let harness = try SandboxHarness()
    let url = try harness.authorizationURL(["client_id": client, "redirect_uri": address])
    let callback = try harness.sandbox.approve(url)
    #expect(callback.absoluteString.hasPrefix(address) && harness.parameters(of: callback)["code"] != nil)
  }

  @Test(
    "Other addresses match to the letter",
    arguments: [
      ("https://app.example/cb?a=1", "https://app.example/cb?a=1", true),
      ("https://app.example/cb?a=1", "https://app.example:443/cb?a=1", false),
      ("https://app.example/cb?a=1", "https://app.example/cb", false),
      ("com.example.app:/callback", "com.example.app:/callback", true),
      ("com.example.app:/callback", "com.example.app:/callback/x", false),
      ("http://localhost/callback", "http://localhost:8080/callback", false),
    ])
  func exactRedirects(registered: String, asked: String, isAccepted: Bool) async throws {
    let harness = try SandboxHarness {
      $0.clients = [.init(id: "almanac", name: "App", redirectURIs: [registered])]
    }
    let url = try harness.authorizationURL(["redirect_uri": asked])
    guard isAccepted else { return try await expectPage(harness, url) }
    #expect(try await harness.send(HTTPRequest(.get, url)).status == 200)
    let mark = asked.contains("?") ? "&" : "?"
    #expect(try harness.sandbox.approve(url).absoluteString.hasPrefix("\(asked)\(mark)code="))
  }

  @Test func aPublicClientCannotLeavePKCEOut() throws {
    let client = Sandbox.Client(
      id: "almanac", name: "App", redirectURIs: [SandboxHarness.redirectURI], googleBehaviors: [.optionalPKCE])
    let harness = try SandboxHarness { $0.clients = [client] }
    let url = try harness.authorizationURL(["code_challenge": nil, "code_challenge_method": nil])
    #expect(harness.parameters(of: try harness.sandbox.approve(url))["error"] == "invalid_request")
  }
}
