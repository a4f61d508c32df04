// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthScope
import Testing

@Suite struct AuthorizationTests {
  @Test func thePersonMayTickLess() async throws {
    let harness = try SandboxHarness()
    let callback = try harness.sandbox.approve(try harness.authorizationURL(), granting: ["email"])
    let code = try #require(harness.parameters(of: callback)["code"])
    #expect(try await harness.redeem(code)["scope"] == "email")
    let nothing = harness.parameters(of: try harness.sandbox.approve(try harness.authorizationURL(), granting: []))
    #expect(nothing["error"] == "access_denied")
  }

  @Test(
    "Who asks, or where to, is not believed: an error page, never a redirect",
    arguments: [
      ["client_id": nil], ["client_id": "stranger"], ["redirect_uri": nil],
      ["redirect_uri": "https://attacker.example/callback"], ["redirect_uri": "http://127.0.0.1:49152/callback/"],
      ["redirect_uri": "http://127.0.0.1:49152/callback?next=1"], ["redirect_uri": "http://127.0.0.1:49152/callback#a"],
      ["redirect_uri": "http://127.0.0.1:49152/other"], ["redirect_uri": "http://localhost:49152/callback"],
      ["redirect_uri": "http://127.0.0.2:49152/callback"], ["redirect_uri": "https://127.0.0.1:49152/callback"],
      ["redirect_uri": "http://127.0.0.1:0/callback"], ["redirect_uri": "http://127.0.0.1:65536/callback"],
      ["redirect_uri": "http://127.0.0.1:/callback"], ["redirect_uri": "http://127.0.0.1:80@attacker.example/callback"],
      ["redirect_uri": "http://127.0.0.1.attacker.example/callback"],
      ["redirect_uri": "http://user@127.0.0.1/callback"],
    ] as [[String: String?]])
  func neverRedirects(changes: [String: String?]) async throws {
    let harness = try SandboxHarness()
    let (name, value) = try #require(changes.first)
    let url = try harness.authorizationURL([name: value])
    let answer = try await harness.send(HTTPRequest(.get, url))
    #expect(answer.status == 400)
    #expect(answer.response.fields["Location"] == nil)
    #expect(answer.response.fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(url) }
  }

  @Test(arguments: ["client_id", "redirect_uri"])
  func aRepeatedIdentityIsNoIdentity(name: String) async throws {
    let harness = try SandboxHarness()
    var fields = FormEncoding.form.decode(try harness.authorizationURL().query(percentEncoded: true) ?? "")
    fields.append(name, try #require(fields[name]))
    let answer = try await harness.send(HTTPRequest(.get, try harness.url(fields)))
    #expect(answer.status == 400)
    #expect(answer.response.fields["Location"] == nil)
  }

  @Test(
    "Any port of a loopback IP literal is accepted, and nothing else may differ",
    arguments: ["http://127.0.0.1/callback", "http://127.0.0.1:1/callback", "http://[::1]:65535/callback"])
  func loopbackRedirects(address: String) throws {
    let harness = try SandboxHarness()
    let callback = try harness.sandbox.approve(try harness.authorizationURL(["redirect_uri": address]))
    #expect(callback.absoluteString.hasPrefix(address + "?code="))
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
  func exactRedirects(registered: String, asked: String, accepted: Bool) async throws {
    let harness = try SandboxHarness {
      $0.clients = [.init(id: "almanac", name: "App", redirectURIs: [registered])]
    }
    let answer = try await harness.send(HTTPRequest(.get, try harness.authorizationURL(["redirect_uri": asked])))
    #expect(answer.status == (accepted ? 200 : 400))
    if accepted {
      let callback = try harness.sandbox.approve(try harness.authorizationURL(["redirect_uri": asked]))
      #expect(callback.absoluteString.hasPrefix(asked + (asked.contains("?") ? "&code=" : "?code=")))
    }
  }
}
