// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import Testing

/// The sandbox's second provider.
@Suite struct MeetupTests {
  private func url() throws -> URL {
    let fields: FormFields = [
      "response_type": "code", "client_id": "almanac-meetup", "redirect_uri": SandboxHarness.redirectURI, "state": "s",
      "code_challenge": SandboxHarness.challenge, "code_challenge_method": "S256",
    ]
    return try #require(
      URL(string: "\(SandboxHarness.base)/meetup/oauth2/authorize?\(FormEncoding.form.encode(fields))"))
  }

  @Test func consentIsAnsweredAtItsOwnAddress() async throws {
    let harness = try SandboxHarness()
    let page = try await harness.send(HTTPRequest(.get, try url()))
    #expect(page.text.contains(#"action="/meetup/oauth2/authorize/consent""#))
    #expect(page.text.contains("See your city, country, photo and topics"))
    let id = try #require(page.text.firstMatch(of: /name="consent" value="([^"]+)"/)?.1)
    let answer = try await harness.post(
      "/meetup/oauth2/authorize/consent", ["consent": String(id), "decision": "allow", "scope:basic": "on"])
    #expect(answer.status == 303)
    #expect(answer.response.fields["Location"]?.contains("code=") == true)
  }
}
