// SPDX-License-Identifier: Apache-2.0

import AppFlip
import Foundation
import HTTPTransport
import Testing

@Suite struct AppFlipRegistrationTests {
  @Test func linkOfGooglesIsReadInFull() throws {
    let request = try Fixtures.google.request(from: Fixtures.link())
    #expect(request.clientID == "google-home")
    #expect(request.scopes == ["email", "profile"])
    #expect(request.redirect == AppFlipRedirect(bundleIdentifier: "com.google.OPA"))
  }

  @Test func redirectAddressMayBePercentEncoded() throws {
    let encoded = "https%3A%2F%2Foauth-redirect-sandbox.googleusercontent.com%2fa%2Fcom.google.OPA"
    let request = try Fixtures.google.request(from: Fixtures.link(redirect: encoded))
    #expect(request.redirect == AppFlipRedirect(host: .sandbox, bundleIdentifier: "com.google.OPA"))
  }

  @Test(
    arguments: [
      ("email", ["email"], "one"), ("email%20profile", ["email", "profile"], "a space as addresses write it"),
      ("email+profile", ["email", "profile"], "a space as forms write it"),
      ("a+", ["a"], "a space too many"), ("a%2Bb:c/d", ["a+b:c/d"], "a plus sign in a scope"),
      ("%21%23%5B%5D%7E", ["!#[]~"], "the first and last characters that a scope may have, and those beside others"),
      ("", [], "empty counts as left out"), (nil, [], "left out"),
    ] as [(String?, [Scope], String)])
  func scopeIsAList(_ scope: String?, _ scopes: [Scope], _ reason: String) throws {
    #expect(try Fixtures.google.request(from: Fixtures.link(scope: scope)).scopes == scopes, "\(reason)")
  }

  @Test func parametersOfOthersAreIgnored() throws {
    let link = try Fixtures.link(rest: "&utm_source=x&&flag&=client_id#code=y")
    #expect(try Fixtures.google.request(from: link).scopes == ["email", "profile"])
  }

  /// Invalid parameters beside a valid redirect URI are reported to Google.
  @Test(
    arguments: [
      (try Fixtures.link(clientID: nil), .missingParameter, "client_id", "left out"),
      (try Fixtures.link(clientID: ""), .missingParameter, "client_id", "without a value"),
      (try Fixtures.link(clientID: "other"), .unknownClient, "client_id", "another client"),
      (try Fixtures.link(clientID: "GOOGLE-HOME"), .unknownClient, "client_id", "case counts"),
      (try Fixtures.link(clientID: "google-home%20"), .unknownClient, "client_id", "a space too many"),
      (try Fixtures.link(clientID: "google-home%FF"), .unknownClient, "client_id", "not UTF-8"),
      (try Fixtures.link(rest: "&client_id=google-home"), .repeatedParameter, "client_id", "repeated, though equal"),
      (try Fixtures.link(rest: "&client%5Fid=google-home"), .repeatedParameter, "client_id", "repeated in disguise"),
      (try Fixtures.link(rest: "&client_id"), .repeatedParameter, "client_id", "repeated without a value"),
      (try Fixtures.link(state: nil), .missingParameter, "state", "left out"),
      (try Fixtures.link(state: ""), .missingParameter, "state", "without a value"),
      (try Fixtures.link(rest: "&state=s1"), .repeatedParameter, "state", "repeated"),
      (try Fixtures.link(rest: "&scope=openid"), .repeatedParameter, "scope", "repeated"),
      (try Fixtures.link(rest: "&x=1&x=2"), .repeatedParameter, nil, "repeated, and not of App Flip's"),
      (try Fixtures.link(scope: "email%0Aopenid"), .malformedParameter, "scope", "a line break"),
      (try Fixtures.link(scope: "%22email%22"), .malformedParameter, "scope", "quotation marks"),
      (try Fixtures.link(scope: "caf%C3%A9"), .malformedParameter, "scope", "beyond ASCII"),
      (try Fixtures.link(scope: "%FF"), .malformedParameter, "scope", "not UTF-8"),
      (try Fixtures.link(scope: "a%7F"), .malformedParameter, "scope", "delete"),
      (try Fixtures.link(scope: "a%1F"), .malformedParameter, "scope", "a control character"),
      (try Fixtures.link(scope: "a%5C"), .malformedParameter, "scope", "a backslash"),
    ] as [(URL, AppFlipError.Code, String?, String)])
  func faultIsNamedAndAnsweredAsInvalidRequest(
    _ link: URL, _ code: AppFlipError.Code, _ parameter: String?, _ reason: String
  ) throws {
    let error = try #require(throws: AppFlipError.self, "\(reason)") { try Fixtures.google.request(from: link) }
    #expect(error.code == code, "\(reason)")
    #expect(error.parameter == parameter, "\(reason)")
    let response = try #require(error.response)
    #expect(error.disposition == .respond(response))
    #expect(response.target == Fixtures.redirect)
    #expect(response.fields["error"] == "invalid_request")
    #expect(response.fields["error_description"] == error.message && error.localizedDescription == error.message)
    #expect(error.message.hasSuffix(".") && parameter.map(error.message.contains) != false, "\(error.message)")
    #expect(response.fields["state"] == (error.parameter == "state" ? nil : "s1"))
  }

  /// No error is sent to an invalid redirect URI.
  @Test(arguments: [
    (try Fixtures.link(redirect: nil), AppFlipError.Code.missingParameter, "left out"),
    (try Fixtures.link(redirect: ""), .missingParameter, "without a value"),
    (try Fixtures.link(rest: "&redirect_uri=\(Fixtures.redirect)"), .repeatedParameter, "repeated, though equal"),
    (try Fixtures.link(rest: "&redirect%5furi=https://attacker.example"), .repeatedParameter, "repeated in disguise"),
    (try Fixtures.link(redirect: "https://attacker.example/a/com.google.OPA"), .untrustedRedirect, "another host"),
    (try Fixtures.link(clientID: "other", redirect: "https://attacker.example"), .untrustedRedirect, "all wrong"),
    (try Fixtures.link(clientID: nil, redirect: "https://attacker.example/"), .untrustedRedirect, "no client"),
    (try Fixtures.link(redirect: Fixtures.redirect + "%FF"), .untrustedRedirect, "not UTF-8"),
    (try Fixtures.link(redirect: Fixtures.redirect + ".other"), .untrustedApp, "another app"),
  ])
  func nobodyIsAnsweredAtAnAddressThatIsNotTrusted(_ link: URL, _ code: AppFlipError.Code, _ reason: String) throws {
    let error = try #require(throws: AppFlipError.self, "\(reason)") { try Fixtures.google.request(from: link) }
    #expect(error.code == code, "\(reason)")
    #expect(error.parameter == "redirect_uri")
    #expect(error.response == nil && error.disposition == .notGoogle, "\(reason)")
  }

  @Test(arguments: [
    ("https://app.example/link", "no query"),
    ("https://app.example/article?id=3&state=s1", "another link of the app's"),
    ("https://app.example/callback?code=c&state=s1", "a callback of the app's own sign-in"),
    ("https://app.example/link?client_id=", "a name without a value"),
    ("app.example:/link?client_id=google-home", "a scheme of the app's own"),
    ("http://app.example/link?client_id=google-home", "plain http"), ("link?client_id=google-home", "no scheme"),
  ])
  func linkOfAnotherKindIsToldApart(_ address: String, _ reason: String) throws {
    let link = try #require(URL(string: address))
    let error = try #require(throws: AppFlipError.self, "\(reason)") { try Fixtures.google.request(from: link) }
    #expect(error.code == .notAppFlip, "\(reason)")
    #expect(error.response == nil)
    #expect(error.disposition == .notAppFlip)
  }

  @Test func clientIsComparedByteForByte() throws {
    let kelvin = AppFlipRegistration(clientID: "K")
    // U+212A, the Kelvin sign, which strings take for the letter.
    let error = try #require(throws: AppFlipError.self) {
      try kelvin.request(from: Fixtures.link(clientID: "%E2%84%AA"))
    }
    #expect(error.code == .unknownClient)
  }

  @Test func appsOfOnesOwnChoiceReplaceGoogles() throws {
    let registration = AppFlipRegistration(clientID: "google-home", bundleIdentifiers: ["com.example.tester"])
    #expect(registration.redirects.count == 2)
    let error = try #require(throws: AppFlipError.self) { try registration.request(from: Fixtures.link()) }
    #expect(error.code == .untrustedApp)
    let tester = "https://oauth-redirect-sandbox.googleusercontent.com/a/com.example.tester"
    #expect(try registration.request(from: Fixtures.link(redirect: tester)).redirect.uri == tester)
  }

  @Test func nothingFromOutsideIsInAnError() throws {
    let link = try Fixtures.link(clientID: "hostile", state: "secret-state", rest: "&x=1&x=2")
    let error = try #require(throws: AppFlipError.self) { try Fixtures.google.request(from: link) }
    #expect(!shown(error).contains("secret-state"))
    #expect(!shown(error).contains("hostile"))
  }
}
