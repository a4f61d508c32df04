// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OpenIDConnect
import Testing

@Suite struct UserProfileTests {
  private func read(_ body: String, status: Int = 200, subject: String? = nil) async throws -> UserProfile {
    try await UserProfile.read(
      from: SigningIssuer().client.server,
      transport: StubTransport(HTTPResponse(status: status, body: Array(body.utf8))), subject: subject)
  }

  @Test func profileIsReadAndWritten() async throws {
    let json =
      #"{"email":"ana@example.com","email_verified":true,"family_name":"Muestra","given_name":"Ana","locale":"es","name":"Ana Muestra","picture":"https://example.com/a.png","sub":"1"}"#
    let profile = try await read(#"{"extra":[1],"# + json.dropFirst())
    #expect(profile.subject == "1" && profile.name == "Ana Muestra" && profile.givenName == "Ana")
    #expect(profile.familyName == "Muestra" && profile.email == "ana@example.com" && profile.isEmailVerified == true)
    #expect(profile.picture?.absoluteString == "https://example.com/a.png" && profile.locale == "es")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(profile), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(UserProfile.self, from: Data(json.utf8)) == profile)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(UserProfile.self, from: Data("{}".utf8)) }
  }

  @Test(
    "An address is verified only by the word true",
    arguments: [
      ("true", true), ("false", false), (#""true""#, true), (#""false""#, false), (#""yes""#, false), ("1", nil),
    ])
  func addressIsVerified(_ value: String, _ isVerified: Bool?) async throws {
    #expect(try await read(#"{"sub":"1","email_verified":\#(value)}"#).isEmailVerified == isVerified)
  }

  @Test(arguments: [(true, "application/jwt"), (false, "application/json, application/jwt")])
  func requestSaysWhichFormIsAccepted(_ isRequired: Bool, _ types: String) async throws {
    let transport = StubTransport(HTTPResponse(status: 200, body: Array(#"{"sub":"1"}"#.utf8)))
    _ = try? await UserProfile.read(
      from: SigningIssuer().client.server, transport: transport, requiringSignature: isRequired)
    let request = try #require(transport.requests.first)
    #expect(request.method == .get && request.url.absoluteString == "https://login.example/u")
    #expect(request.fields["Accept"] == types && request.redirectScope == .sameOrigin)
  }

  @Test func claimsOfTheWrongTypeAreMissingNotFatal() async throws {
    let profile = try await read(#"{"sub":"1","name":7,"email_verified":"true","picture":null}"#)
    #expect(profile.name == nil && profile.isEmailVerified == true && profile.picture == nil)
  }

  @Test(arguments: ["null", #""""#, "0", "[]", "{}"])
  func emptyClaimIsMissing(_ empty: String) async throws {
    let names = ["name", "given_name", "family_name", "email", "email_verified", "picture", "locale"]
    let claims = names.map { #","\#($0)":\#(empty)"# }.joined()
    let only = try await read(#"{"sub":"1"}"#)
    #expect(try await read("\u{FEFF}" + #"{"sub":"1"\#(claims)}"#) == only)
    try await expect(.invalidResponse) { _ = try await read(#"{"sub":\#(empty)}"#) }
  }

  @Test(arguments: [
    ("{}", 200, OAuthError.Code.invalidResponse), ("<html>", 200, .invalidResponse),
    ("", 401, .signInRequired), ("", 403, .requestRejected),
    ("", 503, .serverUnavailable), ("", 429, .serverUnavailable),
  ])
  func answerThatIsNoProfileIsATypedError(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    try await expect(code) { _ = try await read(body, status: status) }
  }

  /// Another origin does not see the token, so it cannot know the user.
  @Test(arguments: [
    HTTPResponse(status: 302, fields: ["Location": "https://other.example/u"]),
    HTTPResponse(status: 200, body: Array(#"{"sub":"1"}"#.utf8), redirectedOrigin: Origin("https://other.example")),
    HTTPResponse(status: 401, redirectedOrigin: Origin("https://other.example")),
  ])
  func profileOfAnotherOriginIsRefused(_ response: HTTPResponse) async throws {
    try await expect(.invalidResponse, "redirects to another origin") {
      _ = try await UserProfile.read(from: SigningIssuer().client.server, transport: StubTransport(response))
    }
  }

  @Test func anotherPersonsProfileIsRefused() async throws {
    _ = try await read(#"{"sub":"1"}"#, subject: "1")
    try await expect(.invalidResponse) { _ = try await read(#"{"sub":"2"}"#, subject: "1") }
  }
}
