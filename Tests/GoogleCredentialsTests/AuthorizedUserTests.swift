// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

@Suite struct AuthorizedUserTests {
  @Test func refreshTokenIsExchanged() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(Cloud.userFile())
    let token = try await credential.accessToken()
    let request = try #require(cloud.transport.requests.first)
    #expect(request.url.absoluteString == Cloud.tokenURL)
    #expect(
      request.form == [
        "grant_type": "refresh_token", "client_id": "gcloud", "client_secret": "gcloud-secret",
        "refresh_token": "refresh-1",
      ])
    #expect(token.scopes == ["https://www.googleapis.com/auth/cloud-platform"])
    #expect(credential.kind == .authorizedUser && credential.scopes.isEmpty)
    _ = try await credential.accessToken()
    #expect(cloud.transport.requests.count == 1)
  }

  @Test func workforceUserIsRefreshedBySTS() async throws {
    let provider = ExternalAccountTests.workforce + "/providers/provider"
    let cloud = try await Cloud { $0.users[0].identityProvider = provider }
    let credential = try cloud.credential(Cloud.workforceFile())
    let token = try await credential.accessToken()
    let request = try #require(cloud.transport.requests.first)
    #expect(request.url.absoluteString == "https://sts.googleapis.com/v1/oauthtoken")
    #expect(request.form == ["grant_type": "refresh_token", "refresh_token": "refresh-1"])
    #expect(request.fields["Authorization"] == "Basic " + Data("gcloud:gcloud-secret".utf8).base64EncodedString())
    #expect(
      cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.principal
        == "principal:\(ExternalAccountTests.workforce)/subject/user@example.com")
    #expect(credential.kind == .externalAccountAuthorizedUser && credential.quotaProjectID == "billing")
    let refused = try await Cloud()
    let error = try await failure(OAuthError.self) {
      try await refused.credential(Cloud.workforceFile()).accessToken()
    }
    #expect(error.serverCode == "invalid_client", "a user with a Google account is not the pool's")
  }

  @Test func tokenGoesToGoogleWhateverTheFileSays() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(Cloud.userFile(["token_uri": "https://evil.example/token"]))
    _ = try await credential.accessToken()
    #expect(cloud.transport.requests.map(\.url.absoluteString) == [Cloud.tokenURL])
  }

  @Test func signInThatEndedSaysWhatToDo() async throws {
    let cloud = try await Cloud { $0.users[0].refreshToken = .init("refresh-2") }
    let environment = cloud.environment(files: ["/adc.json": Cloud.userFile()])
    let credential = try await GoogleCredential.file("/adc.json", in: environment)
    let error = try await failure(OAuthError.self) { try await credential.accessToken() }
    #expect(error.code == .signInRequired && error.serverCode == "invalid_grant")
    #expect(error.message.contains("/adc.json") && error.message.contains("gcloud auth application-default login"))
  }

  @Test func newRefreshTokenReplacesTheOldOne() async throws {
    let responses = ["access-1", "access-2"].map {
      HTTPResponse.json(#"{"access_token":"\#($0)","refresh_token":"next-\#($0)","expires_in":3600}"#)
    }
    let transport = StubTransport(responses[0], responses[1])
    let clock = ManualClock()
    let environment = CredentialEnvironment(transport, clock: clock)
    let credential = try GoogleCredential.json(Array(Cloud.userFile().utf8), in: environment)
    _ = try await credential.accessToken()
    clock.advance(by: .seconds(3600))
    _ = try await credential.accessToken()
    #expect(transport.requests.map { $0.form["refresh_token"] } == ["refresh-1", "next-access-1"])
  }

  @Test func userHasNoIDTokensAndNoSubject() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(Cloud.userFile())
    await expectFailure(.unsupported, "Impersonate a service account that may call the service") {
      try credential.idTokens(for: Cloud.service)
    }
    await expectFailure(.unsupported) {
      try cloud.credential(Cloud.userFile(), subject: "ada@example.com")
    }
  }

  @Test func quotaProjectIsSentWithTheToken() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(Cloud.userFile())
    #expect(credential.quotaProjectID == "billing")
    let token = try await credential.accessToken()
    let api = StubTransport { _ in HTTPResponse(status: 200) }
    // A cache of the credential sends it, too.
    let transports = [
      api.authorized(by: credential, for: ["https://www.googleapis.com/"]),
      api.authorized(by: credential.cached(), for: ["https://www.googleapis.com/"]),
    ]
    var request = HTTPRequest(.get, URL(literal: "https://www.googleapis.com/"))
    for transport in transports { _ = try await transport.send(request) }
    request.fields["x-goog-user-project"] = "mine"
    for transport in transports { _ = try await transport.send(request) }
    let sent = api.requests
    #expect(sent.map { $0.fields["x-goog-user-project"] } == ["billing", "billing", "mine", "mine"])
    #expect(sent.allSatisfy { $0.fields["Authorization"] == "Bearer \(token.value.reveal())" })
    let environment = cloud.environment(["GOOGLE_CLOUD_QUOTA_PROJECT": "override"])
    #expect(
      try GoogleCredential.json(Array(Cloud.userFile().utf8), in: environment).quotaProjectID == "override")
  }
}
