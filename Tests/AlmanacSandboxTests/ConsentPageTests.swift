// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing

@Suite struct ConsentPageTests {
  /// `authorization.txt` has the other directives of the policy.
  @Test func thePageLoadsNothingAndCannotBeFramed() async throws {
    let harness = try SandboxHarness()
    let page = try await harness.send(HTTPRequest(.get, try harness.authorizationURL()))
    let policy = try #require(page.response.fields["Content-Security-Policy"])
    let style = try #require(page.text.range(of: "<style>")).upperBound
    let css = String(page.text[style..<(try #require(page.text.range(of: "</style>")).lowerBound)])
    let digest = Data(MessageDigest.sha256(css)).base64EncodedString()
    #expect(policy.contains("style-src 'sha256-\(digest)';"))
    #expect(!page.text.contains("<script") && !page.text.contains("src=") && !page.text.contains("style="))
  }

  @Test func thePageSaysWhoAsksForWhat() async throws {
    let client = Sandbox.Client(id: "almanac", name: #"<b>"App" & 'Co'</b>"#, redirectURIs: ["com.example.app:/cb"])
    let user = Sandbox.User(givenName: "Zoë", familyName: "<i>", email: "zoe@example.com")
    let harness = try SandboxHarness {
      $0.clients = [client]
      $0.user = user
    }
    let page = try await harness.send(
      HTTPRequest(.get, try harness.authorizationURL(["redirect_uri": "com.example.app:/cb"])))
    for text in [
      "&lt;b&gt;&quot;App&quot; &amp; &#39;Co&#39;&lt;/b&gt;", "Zoë &lt;i&gt;", "zoe@example.com",
      "See your e-mail address", "See all your calendars and their events", SandboxHarness.calendarScope,
      "com.example.app:",
    ] {
      #expect(page.text.contains(text))
    }
    #expect(!page.text.contains("<b>") && !page.text.contains("<i>"))
    #expect(!page.text.contains(#"type="radio""#), "One user is not asked who.")
    #expect(page.response.fields["Content-Security-Policy"]?.contains("form-action 'self' com.example.app:;") == true)
  }

}
