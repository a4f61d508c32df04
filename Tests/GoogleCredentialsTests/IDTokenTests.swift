// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// ID tokens as Google's servers give them: the recipient and the times are read, and what is none is refused.
@Suite struct IDTokenTests {
  private static func jwt(_ claims: String) -> String {
    "e30.\(Base64URL.encode(Array(claims.utf8))).c2ln"
  }

  /// The token that a service account gets for a response of the token endpoint.
  private func token(_ body: JSONValue) async throws -> AccessToken {
    let cloud = try await Cloud()
    let transport = StubTransport { _ in
      HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: body.json())
    }
    let environment = CredentialEnvironment(transport, clock: cloud.clock)
    let credential = try GoogleCredential.json(Array(try cloud.keyFile().utf8), in: environment)
    return try await credential.idTokens(for: Cloud.service).accessToken()
  }

  @Test(
    arguments: [
      (#"{"aud":"\#(Cloud.service)","exp":1767229200,"iat":1767225600}"#, Int64?.some(1_767_225_600)),
      (#"{"aud":["\#(Cloud.service)"],"exp":1767229200}"#, nil),
    ])
  func recipientAndTimesAreRead(_ claims: String, _ issuedAt: Int64?) async throws {
    let text = Self.jwt(claims)
    let token = try await token(["id_token": .string(text)])
    #expect(token.value.reveal() == text)
    #expect(token.expiresAt == Timestamp(secondsSince1970: 1_767_229_200))
    #expect(token.issuedAt == issuedAt.map { Timestamp(secondsSince1970: $0) })
  }

  private static let valid = jwt(#"{"aud":"\#(Cloud.service)","exp":1767229200}"#)

  @Test(arguments: [
    "e30", "e30.e30", valid + ".", "." + valid, valid.replacing("e30.", with: "e30.."),
    valid.replacing(".c2ln", with: "..c2ln"), jwt("[]"), jwt("{}"), jwt(#"{"aud":"\#(Cloud.service)"}"#),
    jwt(#"{"aud":"\#(Cloud.service)","exp":"1767229200"}"#), "e30.!!.c2ln",
  ])
  func textThatIsNoTokenIsRefused(_ text: String) async throws {
    await expectFailure(.invalidResponse, "Google's ID token is not a JSON Web Token with an expiry") {
      try await token(["id_token": .string(text)])
    }
  }

  @Test(arguments: [
    #"{"exp":1}"#, #"{"exp":1,"aud":7}"#, #"{"exp":1,"aud":[]}"#, #"{"exp":1,"aud":"https://other.example"}"#,
    #"{"exp":1,"aud":["\#(Cloud.service)","\#(Cloud.service)"]}"#,
  ])
  func tokenForAnotherServiceIsRefused(_ claims: String) async throws {
    await expectFailure(.invalidResponse, "Google's ID token is not for the requested service \(Cloud.service)") {
      try await token(["id_token": .string(Self.jwt(claims))])
    }
  }

  @Test(arguments: [[:], ["id_token": 7], ["access_token": "a"]] as [JSONValue])
  func responseWithoutATokenIsRefused(_ body: JSONValue) async throws {
    await expectFailure(.invalidResponse, "The response of https://accounts.google.com contains no ID token") {
      try await token(body)
    }
  }
}
