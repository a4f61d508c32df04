// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OpenIDConnect
import Testing

@Suite struct UserProfileTests {
  private func read(_ body: String, status: Int = 200, subject: String? = nil) async throws -> UserProfile {
    let server = ServerMetadata(
      issuer: "https://login.example", authorizationEndpoint: URL(literal: "https://login.example/a"),
      tokenEndpoint: try #require(URL(string: "https://login.example/t")),
      userinfoEndpoint: URL(string: "https://login.example/u"))
    return try await UserProfile.read(
      from: server, transport: StubTransport(HTTPResponse(status: status, body: Array(body.utf8))), subject: subject)
  }

  @Test func everyClaimIsRead() async throws {
    let profile = try await read(
      #"""
      {"sub":"1","name":"Ana Muestra","given_name":"Ana","family_name":"Muestra","email":"ana@example.com",
       "email_verified":true,"picture":"https://example.com/a.png","locale":"es","extra":[1]}
      """#)
    #expect(profile.subject == "1")
    #expect(profile.name == "Ana Muestra")
    #expect(profile.givenName == "Ana")
    #expect(profile.familyName == "Muestra")
    #expect(profile.email == "ana@example.com")
    #expect(profile.emailVerified == true)
    #expect(profile.picture?.absoluteString == "https://example.com/a.png")
    #expect(profile.locale == "es")
  }

  @Test func claimsOfTheWrongTypeAreMissingNotFatal() async throws {
    let profile = try await read(#"{"sub":"1","name":7,"email_verified":"true","picture":null}"#)
    #expect(profile.name == nil)
    #expect(profile.emailVerified == true)
    #expect(profile.picture == nil)
  }

  @Test(arguments: [
    ("{}", 200, OAuthError.Code.invalidResponse), ("<html>", 200, .invalidResponse),
    (#"{"sub":""}"#, 200, .invalidResponse), ("", 401, .signInRequired), ("", 403, .requestRejected),
    ("", 503, .serverUnavailable), ("", 429, .serverUnavailable),
  ])
  func answerThatIsNoProfileIsATypedError(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    let error = await #expect(throws: OAuthError.self) { try await read(body, status: status) }
    #expect(error?.code == code)
  }

  @Test func anotherPersonsProfileIsRefused() async throws {
    _ = try await read(#"{"sub":"1"}"#, subject: "1")
    let error = await #expect(throws: OAuthError.self) { try await read(#"{"sub":"2"}"#, subject: "1") }
    #expect(error?.code == .invalidResponse)
  }
}
