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

  @Test func thePageGoesThroughAsABrowserSendsIt() async throws {
    let harness = try SandboxHarness()
    let page = try await harness.send(HTTPRequest(.get, try harness.authorizationURL()))
    let answer = try await answer(
      harness, "allow", id: consentID(in: page.text), fields: ["Sec-Fetch-Site": "same-origin"])
    #expect(answer.status == 303)
    let callback = try #require(answer.response.fields["Location"].flatMap { URL(string: $0) })
    let code = try #require(harness.parameters(of: callback)["code"])
    #expect(try await harness.redeem(code)["scope"] == "email")
  }

  @Test func anAnswerCountsOnce() async throws {
    let harness = try SandboxHarness()
    let id = try consentID(in: try await harness.send(HTTPRequest(.get, try harness.authorizationURL())).text)
    #expect(try await answer(harness, "deny", id: id).status == 303)
    let second = try await answer(harness, "allow", id: id, ["application": "http://127.0.0.1:49152/callback"])
    #expect(second.status == 400)
    #expect(second.response.fields["Location"] == nil)
    #expect(second.text.contains("<h1>Sign-in refused</h1>"))
    #expect(second.text.contains(#"<a href="http://127.0.0.1:49152/">"#), "the way back leads to the application")
  }

  @Test func wayBackLeadsToARegisteredApplicationAlone() async throws {
    let harness = try SandboxHarness()
    let refused = try await answer(harness, "allow", id: "guessed", ["application": "https://evil.example/callback"])
    #expect(refused.status == 400)
    #expect(!refused.text.contains("evil.example"))
    #expect(refused.text.contains(#"<a href="/">"#))
  }

  @Test func pageThatDoesNotExistHasAHeadingAndAWayBack() async throws {
    let missing = try await SandboxHarness().get("/nowhere")
    #expect(missing.status == 404)
    #expect(missing.text.contains("<h1>") && missing.text.contains(#"<a href="/">"#))
  }

  @Test func anAnswerComesInTime() async throws {
    let harness = try SandboxHarness()
    let id = try consentID(in: try await harness.send(HTTPRequest(.get, try harness.authorizationURL())).text)
    harness.clock.advance(by: .seconds(600))
    #expect(try await answer(harness, "allow", id: id).status == 400)
  }

  @Test(
    "A decision that is not made on the page itself is refused",
    arguments: [
      ("guessed", "allow", "same-origin", 400), ("", "allow", "same-origin", 400), (nil, "allow", "cross-site", 403),
      (nil, "allow", "same-site", 403), (nil, "", "same-origin", 400), (nil, "maybe", "same-origin", 400),
    ] as [(String?, String, String, Int)])
  func refuses(id: String?, decision: String, site: String, status: Int) async throws {
    let harness = try SandboxHarness()
    let shown = try consentID(in: try await harness.send(HTTPRequest(.get, try harness.authorizationURL())).text)
    let refused = try await answer(harness, decision, id: id ?? shown, fields: ["Sec-Fetch-Site": site])
    #expect(refused.status == status)
    #expect(refused.response.fields["Location"] == nil)
    #expect(try await answer(harness, "allow", id: shown).status == 303, "The real answer still counts.")
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

  @Test func oneOfSeveralUsersIsChosen() async throws {
    let harness = try SandboxHarness.withUsers()
    let scope = "email https://www.googleapis.com/auth/calendar"
    func signedIn(_ hint: String?, choosing user: String?) async throws -> String? {
      let url = try harness.authorizationURL(["scope": scope, "login_hint": hint])
      let page = try await harness.send(HTTPRequest(.get, url)).text
      let suggested = #"value="\#(hint ?? "person@example.com")" checked"#
      #expect(page.contains(suggested) && page.components(separatedBy: #"type="radio""#).count == 4)
      var more: FormFields = ["scope:https://www.googleapis.com/auth/calendar": "on"]
      more["user"] = user
      let answer = try await answer(harness, "allow", id: consentID(in: page), more)
      let callback = try #require(answer.response.fields["Location"].flatMap { URL(string: $0) })
      let code = try #require(harness.parameters(of: callback)["code"])
      let token = try #require(try await harness.redeem(code)["access_token"])
      return try await harness.call(.get, "calendars/primary", token: token)["id"]
    }
    #expect(try await signedIn(nil, choosing: nil) == "person@example.com")
    #expect(try await signedIn("ana@example.com", choosing: nil) == "ana@example.com")
    #expect(try await signedIn("ana@example.com", choosing: "ben@example.org") == "ben@example.org")
    #expect(try await signedIn(nil, choosing: "nobody@example.net") == "person@example.com")
  }

  @Test func oneUserIsNotAskedWho() async throws {
    let harness = try SandboxHarness()
    let page = try await harness.send(HTTPRequest(.get, try harness.authorizationURL())).text
    #expect(!page.contains(#"type="radio""#) && page.contains("person@example.com"))
  }
}
