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

@Suite struct ServiceAccountTests {
  @Test func assertionIsWhatGoogleDocuments() async throws {
    let cloud = try await Cloud()
    let token = try await cloud.credential(try cloud.keyFile()).accessToken()
    let request = try #require(cloud.transport.requests.first)
    #expect(request.url.absoluteString == Cloud.tokenURL && request.method == .post && request.isRepeatable)
    #expect(Set(request.form.keys) == ["grant_type", "assertion"])
    #expect(request.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    let (header, claims) = try parts(ofJWT: try #require(request.form["assertion"]))
    #expect(header == #"{"alg":"RS256","kid":"key-1","typ":"JWT"}"#)
    #expect(
      claims
        == #"{"aud":"https://oauth2.googleapis.com/token","exp":1767229200,"iat":1767225600,"iss":"\#(Cloud.account)","scope":"\#(Cloud.scope)"}"#
    )
    let identity = try #require(cloud.sandbox.identity(ofAccessToken: token.value.reveal()))
    #expect(identity.principal == Cloud.account && identity.subject == nil && identity.scopes == [Cloud.scope])
    #expect(token.scopes == [Cloud.scope] && token.expiresAt == cloud.clock.now + .seconds(3600))
  }

  @Test func tokenIsKeptUntilItIsAboutToExpire() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try cloud.keyFile())
    let first = try await credential.accessToken()
    cloud.clock.advance(by: .seconds(3600 - 226))
    #expect(try await credential.accessToken() == first)
    #expect(cloud.transport.requests.count == 1)
    cloud.clock.advance(by: .seconds(1))
    #expect(try await credential.accessToken() != first)
    #expect(cloud.transport.requests.count == 2)
  }

  @Test func otherScopesHaveATokenOfTheirOwn() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try cloud.keyFile())
    let narrow = try await credential.accessToken()
    let wide = try await credential.scoped(to: [Cloud.scope, "openid"]).accessToken()
    #expect(wide.scopes == [Cloud.scope, "openid"])
    #expect(try await credential.accessToken() == narrow)
  }

  @Test func subjectIsActedFor() async throws {
    let cloud = try await Cloud()
    let token = try await cloud.credential(try cloud.keyFile(), subject: "ada@example.com").accessToken()
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.subject == "ada@example.com")
  }

  @Test(arguments: [("1", "client ID 1"), (nil, "the account's client ID")])
  func subjectThatIsNotDelegatedIsRefused(_ id: String?, _ client: String) async throws {
    let cloud = try await Cloud()
    let file = try cloud.keyFile(["client_id": id.map { .string($0) }])
    let credential = try cloud.credential(file, subject: "eve@example.com")
    let error = await expectFailure(.refused, "Manage domain-wide delegation, for \(client) and these scopes") {
      try await credential.accessToken()
    }
    #expect(error?.status == "unauthorized_client" && error?.message.contains("eve@example.com") == true)
  }

  @Test(arguments: [
    ("unauthorized_client", GoogleCredentialError.Code?.some(.refused)), ("access_denied", .refused),
    ("invalid_grant", nil), ("invalid_client", nil),
  ])
  func onlyARefusalOfTheSubjectIsExplained(_ serverCode: String, _ code: GoogleCredentialError.Code?) async throws {
    let cloud = try await Cloud()
    let transport = StubTransport { _ in
      HTTPResponse.json(#"{"error":"\#(serverCode)"}"#, status: 400)
    }
    for subject in ["ada@example.com", nil] {
      let credential = try GoogleCredential.json(
        Array(try cloud.keyFile().utf8), scopes: [Cloud.scope], subject: subject,
        in: CredentialEnvironment(transport, clock: cloud.clock))
      do {
        _ = try await credential.accessToken()
        Issue.record("There is a token.")
      } catch let error as GoogleCredentialError {
        #expect(error.code == code && error.status == serverCode && subject != nil)
      } catch let error as OAuthError {
        #expect((code == nil || subject == nil) && error.serverCode == serverCode)
      }
    }
  }

  @Test func keyFileIsRead() async throws {
    let cloud = try await Cloud()
    let key = try ServiceAccountKey(json: Array(try cloud.keyFile(["token_uri": nil]).utf8), in: cloud.environment())
    #expect(key.email == Cloud.account && key.projectID == "sandbox-project" && key.clientID == "1")
    #expect(key.keyID == "key-1" && "\(key)" == Cloud.account)
    let credential = try GoogleCredential.serviceAccount(key, scopes: [Cloud.scope], in: cloud.environment())
    _ = try await credential.accessToken()
    #expect(
      cloud.transport.requests.map(\.url.absoluteString) == [Cloud.tokenURL], "It is requested, at the usual URL.")
    #expect(try await credential.projectID() == "sandbox-project" && credential.principal == Cloud.account)
  }

  @Test func refusalNamesNoAccountThatTheCallerDoesNotKnow() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try cloud.keyFile(), scopes: [" "])
    let error = try await failure(OAuthError.self) { try await credential.accessToken() }
    #expect(error.account == nil)
    #expect(!error.description.contains("Account"), "\(error)")
  }

  @Test func idTokenOpensAServiceOnCloudRun() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try cloud.keyFile(), scopes: [])
    let tokens = try credential.idTokens(for: Cloud.service)
    let service = try #require(Origin(Cloud.service))
    let http = cloud.transport.authorized(by: tokens, for: [service])
    let response = try await http.send(HTTPRequest(.get, try #require(URL(string: Cloud.service + "/"))))
    #expect(try JSONValue(json: response.body) == ["email": .string(Cloud.account)])
    let assertion = try #require(cloud.transport.requests.first?.form["assertion"])
    #expect(
      try parts(ofJWT: assertion).claims
        == #"{"aud":"https://oauth2.googleapis.com/token","exp":1767229200,"iat":1767225600,"iss":"\#(Cloud.account)","target_audience":"\#(Cloud.service)"}"#
    )
    // Kept as long as it says.
    cloud.clock.advance(by: .seconds(3600 - 226))
    _ = try await tokens.accessToken()
    #expect(cloud.transport.requests.count == 2)
    cloud.clock.advance(by: .seconds(1))
    _ = try await tokens.accessToken()
    #expect(cloud.transport.requests.count == 3)
  }

  @Test func selfSignedTokenNeedsNoRequest() async throws {
    let cloud = try await Cloud()
    let key = try ServiceAccountKey(json: Array(try cloud.keyFile().utf8), in: cloud.environment())
    let credential = try GoogleCredential.serviceAccount(
      key, scopes: [Cloud.scope, "openid"], selfSigned: true, in: cloud.environment())
    let token = try await credential.accessToken()
    let (header, claims) = try parts(ofJWT: token.value.reveal())
    #expect(header == #"{"alg":"RS256","kid":"key-1","typ":"JWT"}"#)
    #expect(
      claims
        == #"{"exp":1767229200,"iat":1767225600,"iss":"\#(Cloud.account)","scope":"\#(Cloud.scope) openid","sub":"\#(Cloud.account)"}"#
    )
    #expect(token.expiresAt == cloud.clock.now + .seconds(3600) && cloud.transport.requests.isEmpty)
  }

  @Test func selfSignedTokensDoNotActForUsers() async throws {
    let cloud = try await Cloud()
    let key = try ServiceAccountKey(json: Array(try cloud.keyFile().utf8), in: cloud.environment())
    let credential = try GoogleCredential.serviceAccount(
      key, scopes: [Cloud.scope], subject: "ada@example.com", selfSigned: true, in: cloud.environment())
    let token = try await credential.accessToken()
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.subject == "ada@example.com")
  }

  @Test func otherCloudIsTrustedWhenItIsNamed() async throws {
    let cloud = try await Cloud()
    let file = try cloud.keyFile([
      "universe_domain": "cloud.example", "token_uri": "https://oauth2.cloud.example/token",
    ])
    await expectFailure(.untrustedURL, member: "universe_domain") { try cloud.credential(file) }
    let environment = cloud.environment(["GOOGLE_CLOUD_UNIVERSE_DOMAIN": "cloud.example"])
    let credential = try GoogleCredential.json(Array(file.utf8), scopes: [Cloud.scope], in: environment)
    // It has no token endpoint for service accounts.
    let claims = try parts(ofJWT: try await credential.accessToken().value.reveal()).claims
    #expect(claims.contains(#""scope":"\#(Cloud.scope)""#) && cloud.transport.requests.isEmpty)
    await expectFailure(.unsupported, "Service accounts outside googleapis.com cannot obtain ID tokens") {
      try credential.idTokens(for: Cloud.service)
    }
    await expectFailure(.unsupported, "Omit the subject") {
      try GoogleCredential.json(Array(file.utf8), scopes: [Cloud.scope], subject: "ada@example.com", in: environment)
    }
    // The endpoint of Google's own accounts is of no other cloud.
    let accounts = try cloud.keyFile([
      "universe_domain": "cloud.example", "token_uri": "https://accounts.google.com/o/oauth2/token",
    ])
    await expectFailure(.untrustedURL, member: "token_uri") {
      try GoogleCredential.json(Array(accounts.utf8), in: environment)
    }
  }

  @Test func scopesAreRequired() async throws {
    let cloud = try await Cloud()
    for credential in [
      try cloud.credential(try cloud.keyFile(), scopes: []),
      try cloud.credential(Cloud.userFile()).impersonating(Cloud.target, scopes: []),
    ] {
      await expectFailure(.invalidConfiguration, "Request scopes") { try await credential.accessToken() }
    }
    #expect(cloud.transport.requests.isEmpty)
  }

  @Test func keyThatWasDeletedIsRefused() async throws {
    let cloud = try await Cloud { $0.serviceAccounts[0].keys.keys[0].keyID = "key-2" }
    let credential = try cloud.credential(try cloud.keyFile())
    let error = try await failure(OAuthError.self) { try await credential.accessToken() }
    #expect(error.code == .requestRejected && error.serverCode == "invalid_grant")
    #expect(error.serverDescription == "Invalid JWT Signature.")
  }
}
