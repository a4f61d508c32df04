// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import AppFlip
import Foundation
import HTTPTransport
import Testing
import TokenStore

/// From Google's app to the linked app, to its server, which is the sandbox, and back; then Google's server exchanges the
/// code.
@Suite struct RoundTripTests {
  private static let google = Sandbox.Client(
    id: "google-home", name: "Google Home", redirectURIs: [],
    authentication: .clientSecretPost(Secret("known-to-google")), appFlipRedirects: AppFlipRedirect.google)

  private let sandbox = Sandbox(clock: ManualClock()) {
    $0.clients = [
      google, .native,
      Sandbox.Client(id: "public", name: "No secret", redirectURIs: [], appFlipRedirects: AppFlipRedirect.google),
    ]
  }

  /// The linked app: reads the link, asks its server, responses.
  private func response(to link: URL, personAgrees: Bool = true) throws -> AppFlipResponse? {
    do {
      let request = try Fixtures.google.request(from: link)
      let callback = try callback(
        clientID: request.clientID, redirectURI: request.redirect.uri,
        ["scope": request.scopes.joined(separator: " ")], personAgrees: personAgrees)
      if let code = callback["code"] { return request.response(code: code) }
      return request.refuse(
        callback["error"].flatMap(AppFlipRefusal.init) ?? .unrecoverable, description: callback["error_description"])
    } catch let error as AppFlipError {
      return error.response
    }
  }

  /// The parameters that the server sends to the redirect URI.
  private func callback(
    clientID: String, redirectURI: String, _ more: FormFields = ["scope": "email"], personAgrees: Bool = true
  ) throws -> FormFields {
    var fields: FormFields = ["response_type": "code", "client_id": clientID, "redirect_uri": redirectURI]
    fields.append(contentsOf: more)
    let query = FormEncoding.query.encode(fields)
    let url = try #require(URL(string: "https://server.example/authorize?" + query))
    let callback = try sandbox.approve(url, deny: !personAgrees)
    #expect(callback.absoluteString.hasPrefix(redirectURI + "?"))
    return FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")
  }

  /// Exchanges a code as Google's server does.
  private func exchange(
    _ code: String, redirectURI: String = Fixtures.redirect, secret: String = "known-to-google",
    _ more: FormFields = [:]
  ) async throws -> (status: Int, body: [String: Any]) {
    var form: FormFields = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "client_id": "google-home",
      "client_secret": secret,
    ]
    form.append(contentsOf: more)
    let response = await sandbox.respond(
      to: HTTPRequest(
        .post, try #require(URL(string: "https://server.example/token")),
        fields: ["Content-Type": "application/x-www-form-urlencoded"], body: FormEncoding.form.encodedBytes(form)))
    let body = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    return (response.status, body ?? [:])
  }

  @Test(arguments: AppFlipRedirect.google)
  func codeReachesGooglesServerAndIsExchanged(_ redirect: AppFlipRedirect) async throws {
    let link = try Fixtures.link(state: "a%2fb+c%FF", redirect: redirect.uri)
    let response = try #require(try response(to: link))
    #expect(response.target == redirect.uri)
    #expect(response.url.absoluteString.hasSuffix("&state=a%2fb+c%FF"))
    let code = try #require(response.fields["code"])
    let exchanged = try await exchange(code, redirectURI: redirect.uri)
    #expect(exchanged.status == 200)
    #expect(exchanged.body["access_token"] is String)
    #expect(exchanged.body["scope"] as? String == "email profile")
    #expect(try await exchange(code, redirectURI: redirect.uri).body["error"] as? String == "invalid_grant")
  }

  @Test func codeIsOfNoUseWithoutTheSecretOrAtAnotherAddress() async throws {
    let code = try #require(try response(to: Fixtures.link())?.fields["code"])
    #expect(try await exchange(code, secret: "guessed").status == 401)
    let other = try #require(AppFlipRedirect.google.first { $0.uri != Fixtures.redirect })
    #expect(try await exchange(code, redirectURI: other.uri).body["error"] as? String == "invalid_grant")
  }

  @Test func denialReachesGoogleAsAccessDenied() throws {
    let response = try #require(try response(to: Fixtures.link(), personAgrees: false))
    #expect(response.fields["error"] == "access_denied")
    #expect(response.fields["error_description"] == "The user denied access.")
    #expect(response.fields["state"] == "s1")
  }

  @Test func faultyLinkReachesGoogleAsInvalidRequestAndNotTheServer() throws {
    let response = try #require(try response(to: Fixtures.link(clientID: "other")))
    #expect(response.fields["error"] == "invalid_request")
    #expect(sandbox.log.isEmpty)
  }

  @Test func linkWithSomebodyElsesAddressReachesNobody() throws {
    #expect(try response(to: Fixtures.link(redirect: "https://attacker.example/a/com.google.OPA")) == nil)
    #expect(sandbox.log.isEmpty)
  }

  @Test(arguments: [AppFlipRefusal.cancelled, .unrecoverable])
  func refusalOfTheAppReachesGoogle(_ refusal: AppFlipRefusal) throws {
    let response = try Fixtures.google.request(from: Fixtures.link()).refuse(refusal, description: "Not now.")
    #expect(response.fields == ["error": refusal.rawValue, "error_description": "Not now.", "state": "s1"])
  }

  @Test(arguments: [("almanac", "a client that is not linked"), ("nobody", "an unknown client")])
  func endpointAnswersInvalidRequestToAClientThatIsNotLinked(_ clientID: String, _ reason: String) throws {
    let answered = try callback(clientID: clientID, redirectURI: Fixtures.redirect, ["scope": "email", "state": "s1"])
    #expect(answered["error"] == "invalid_request", "\(reason)")
    #expect(answered["state"] == "s1")
    #expect(answered["code"] == nil)
  }

  @Test(arguments: [
    "https://oauth-redirect.googleusercontent.com/a/com.attacker", "https://attacker.example/a/com.google.OPA",
    "https://oauth-redirect.googleusercontent.com/r/project",
  ])
  func endpointSendsNobodyToAnotherAddress(_ redirectURI: String) {
    #expect(throws: SandboxError.self) { try callback(clientID: "google-home", redirectURI: redirectURI) }
  }

  @Test func clientWithoutASecretNeedsPKCE() throws {
    let answered = try callback(clientID: "public", redirectURI: Fixtures.redirect)
    #expect(answered["error"] == "invalid_request")
    #expect(answered["code"] == nil)
  }

  @Test func challengeThatWasTakenAwayIsNoticed() async throws {
    let code = try #require(try response(to: Fixtures.link())?.fields["code"])
    let exchanged = try await exchange(code, ["code_verifier": String(repeating: "v", count: 43)])
    #expect(exchanged.body["error"] as? String == "invalid_grant")
  }

  @Test func challengeThatWasSentMustBeProved() async throws {
    let challenge: FormFields = [
      "scope": "email", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      "code_challenge_method": "S256",
    ]
    let verifier: FormFields = ["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"]
    let first = try callback(clientID: "google-home", redirectURI: Fixtures.redirect, challenge)
    #expect(try await exchange(#require(first["code"])).body["error"] as? String == "invalid_grant")
    let second = try callback(clientID: "google-home", redirectURI: Fixtures.redirect, challenge)
    #expect(try await exchange(#require(second["code"]), verifier).status == 200)
  }
}
