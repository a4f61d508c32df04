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
    $0.clients = [google]
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
    let callback = personAgrees ? try sandbox.approve(url) : try sandbox.deny(url)
    #expect(callback.absoluteString.hasPrefix(redirectURI + "?"))
    return FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")
  }

  /// Exchanges a code as Google's server does.
  private func exchange(
    _ code: String, redirectURI: String = Fixtures.redirect, _ more: FormFields = [:]
  ) async throws -> (status: Int, body: [String: Any]) {
    var form: FormFields = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "client_id": "google-home",
      "client_secret": "known-to-google",
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

  @Test func denialReachesGoogleAsAccessDenied() throws {
    let response = try #require(try response(to: Fixtures.link(), personAgrees: false))
    #expect(response.fields["error"] == "access_denied")
    #expect(response.fields["error_description"] == "The user denied access.")
    #expect(response.fields["state"] == "s1")
  }

  @Test(arguments: [
    "https://oauth-redirect.googleusercontent.com/a/com.attacker", "https://attacker.example/a/com.google.OPA",
    "https://oauth-redirect.googleusercontent.com/r/project",
  ])
  func endpointSendsNobodyToAnotherAddress(_ redirectURI: String) {
    #expect(throws: SandboxError.self) { try callback(clientID: "google-home", redirectURI: redirectURI) }
  }

  @Test func challengeThatWasTakenAwayIsNoticed() async throws {
    let code = try #require(try response(to: Fixtures.link())?.fields["code"])
    let exchanged = try await exchange(code, ["code_verifier": String(repeating: "v", count: 43)])
    #expect(exchanged.body["error"] as? String == "invalid_grant")
  }
}
