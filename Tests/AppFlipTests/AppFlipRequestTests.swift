// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import HTTPTransport
import Testing

@Suite struct AppFlipRequestTests {
  private func request(state: String = "s1") throws -> AppFlipRequest {
    try Fixtures.google.request(from: Fixtures.link(state: state))
  }

  @Test func codeGoesToTheRedirectAddressWithTheState() throws {
    let response = try request().response(code: "4/abc")
    #expect(response.url.absoluteString == "\(Fixtures.redirect)?code=4%2Fabc&state=s1")
  }

  @Test(arguments: [
    (AppFlipRefusal.cancelled, "cancelled", true), (.unrecoverable, "unrecoverable", false),
    (.invalidRequest, "invalid_request", true), (.accessDenied, "access_denied", false),
  ])
  func refusalGoesToTheRedirectAddressWithTheState(
    _ refusal: AppFlipRefusal, _ error: String, _ isRecoverable: Bool
  ) throws {
    let plain = try request().refuse(refusal)
    #expect(plain.url.absoluteString == "\(Fixtures.redirect)?error=\(error)&state=s1")
    let described = try request().refuse(refusal, description: "Sorry & goodbye, José")
    #expect(
      described.url.absoluteString
        == "\(Fixtures.redirect)?error=\(error)&error_description=Sorry%20%26%20goodbye%2C%20Jos%C3%A9&state=s1")
    #expect(refusal.isRecoverable == isRecoverable)
  }

  @Test(arguments: [
    ("abc-._~", "unreserved"), ("a%2Fb", "escaped"), ("a%2fb%3D", "escaped in lower case"),
    ("%61%7E", "escaped without need"), ("a+b", "a plus sign, which forms take for a space"), ("a%20b%2B", "spaces"),
    ("a=b==", "equals signs"), ("a/b?c:d@e!$'()*,;", "what a query may hold as it is"),
    ("%FF%00%80", "bytes that are not UTF-8"), ("%E2%84%AA", "the Kelvin sign"), ("e%CC%81", "a combining accent"),
    ("%26code%3Devil", "an escaped parameter"), ("%25zz", "an escaped percent sign"),
  ])
  func stateIsGivenBackByteForByte(_ state: String, _ reason: String) throws {
    let request = try request(state: state)
    let refused = request.refuse(.cancelled, description: "x").url.absoluteString
    #expect(
      request.response(code: "c").url.absoluteString.utf8
        .elementsEqual("\(Fixtures.redirect)?code=c&state=\(state)".utf8)
    )
    #expect(refused.hasSuffix("&state=\(state)"), "\(reason)")
  }

  @Test func everyByteOfAStateSurvives() throws {
    let all = (0...255).map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    let url = try request(state: all).response(code: "c").url
    #expect(url.query(percentEncoded: true) == "code=c&state=\(all)")
  }

  @Test func unescapedCharactersInALinkAreSurvivedToo() throws {
    for scalar in (0x20...0x2FF).compactMap(Unicode.Scalar.init) where !"#&".unicodeScalars.contains(scalar) {
      let text = "https://app.example/link?client_id=google-home&redirect_uri=\(Fixtures.redirect)&state=x\(scalar)%zz"
      let link = try #require(URL(string: text))
      let response = try Fixtures.google.request(from: link).response(code: "c")
      #expect(response.fields["state"] == "x\(scalar)%zz")
    }
  }

  @Test(arguments: ["a+b", "a b", "a&state=evil", "a#b", "a%2Fb", "é", "\u{0}"])
  func codeIsReadAsItWasWritten(_ code: String) throws {
    let response = try request().response(code: code)
    #expect(response.fields == ["code": code, "state": "s1"])
    let asForm = FormEncoding.form.decode(response.url.query(percentEncoded: true) ?? "")
    #expect(asForm == response.fields)
  }

  @Test func missingCodeSendsGoogleToTheBrowser() throws {
    #expect(
      try request().response(code: "").fields == [
        "error": "cancelled", "error_description": "The app has no authorization code.", "state": "s1",
      ])
  }

  @Test func neitherCodeNorStateIsInADescription() throws {
    let request = try request(state: "secret-state")
    let response = request.response(code: "secret-code")
    for text in [shown(request), shown(response), shown([response]), shown(Optional(request))] {
      #expect(!text.contains("secret"))
    }
    #expect(response.description == "\(Fixtures.redirect)?…")
  }
}
