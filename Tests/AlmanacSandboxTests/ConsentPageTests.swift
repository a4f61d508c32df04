// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing

@Suite struct ConsentPageTests {
  /// The value of the hidden input.
  private func consentID(in page: String) throws -> String {
    let mark = #"name="consent" value=""#
    let start = try #require(page.range(of: mark)).upperBound
    return String(page[start...].prefix { $0 != "\"" })
  }

  private func answer(
    _ harness: SandboxHarness, _ decision: String, id: String, _ more: FormFields = [:], fields: HTTPFields = [:]
  )
    async throws -> Answer
  {
    var form: FormFields = ["consent": id, "decision": decision, "scope:email": "on"]
    form.append(contentsOf: more)
    return try await harness.post("/authorize/consent", form, fields: fields)
  }

  @Test func anAnswerComesInTime() async throws {
    let harness = try SandboxHarness()
    let id = try consentID(in: try await harness.send(HTTPRequest(.get, try harness.authorizationURL())).text)
    harness.clock.advance(by: .seconds(600))
    #expect(try await answer(harness, "allow", id: id).status == 400)
  }

  @Test func thePageLoadsNothingAndCannotBeFramed() async throws {
    let harness = try SandboxHarness()
    let page = try await harness.send(HTTPRequest(.get, try harness.authorizationURL()))
    let fields = page.response.fields
    let policy = try #require(fields["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none';") && policy.contains("frame-ancestors 'none'"))
    #expect(policy.contains("form-action 'self' http://127.0.0.1:49152;"))
    let style = try #require(page.text.range(of: "<style>")).upperBound
    let css = String(page.text[style..<(try #require(page.text.range(of: "</style>")).lowerBound)])
    let digest = Data(MessageDigest.sha256(css)).base64EncodedString()
    #expect(policy.contains("style-src 'sha256-\(digest)';"))
    #expect(fields["Cache-Control"] == "no-store")
    #expect(fields["X-Content-Type-Options"] == "nosniff")
    #expect(fields["Referrer-Policy"] == "no-referrer")
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
    #expect(page.response.fields["Content-Security-Policy"]?.contains("form-action 'self' com.example.app:;") == true)
  }

  @Test func oneUserIsNotAskedWho() async throws {
    let harness = try SandboxHarness()
    let page = try await harness.send(HTTPRequest(.get, try harness.authorizationURL())).text
    #expect(!page.contains(#"type="radio""#) && page.contains("person@example.com"))
  }
}
