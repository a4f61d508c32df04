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

@Suite struct ImpersonationTests {
  static let base = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"

  /// A user's credential in a cloud whose IAM Credentials API responds as the test says.
  private func source(
    _ cloud: Cloud, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws -> GoogleCredential {
    var environment = cloud.environment()
    environment.transport = StubTransport { request in
      guard request.url.host() == "iamcredentials.googleapis.com" else {
        return try await cloud.transport.send(request)
      }
      return respond(request)
    }
    return try GoogleCredential.json(Array(Cloud.userFile().utf8), in: environment)
  }

  @Test func accessTokenIsGenerated() async throws {
    let cloud = try await Cloud()
    let source = try cloud.credential(try cloud.keyFile())
    let credential = try source.impersonating(Cloud.target, scopes: [Cloud.scope], lifetime: .seconds(600))
    let token = try await credential.accessToken()
    #expect(
      cloud.transport.requests.map(\.url.absoluteString) == [
        Cloud.tokenURL, Self.base + Cloud.target + ":generateAccessToken",
      ])
    // The source's own token is for this API alone.
    let claims = try parts(ofJWT: try #require(cloud.transport.requests[0].form["assertion"])).claims
    #expect(claims.contains(#""scope":"https://www.googleapis.com/auth/iam""#))
    let request = cloud.transport.requests[1]
    #expect(request.fields["Content-Type"] == "application/json" && request.isRepeatable)
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self) == #"{"lifetime":"600s","scope":["\#(Cloud.scope)"]}"#)
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.principal == Cloud.target)
    #expect(token.expiresAt == cloud.clock.now + .seconds(600) && token.scopes == [Cloud.scope])
    #expect(credential.kind == .impersonatedServiceAccount && credential.principal == Cloud.target)
    #expect(try await credential.projectID() == "sandbox-project")
  }

  @Test func idTokenIsGenerated() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try cloud.keyFile()).impersonating(Cloud.target, scopes: [])
    let http = cloud.transport.authorized(
      by: try credential.idTokens(for: Cloud.service), for: [try #require(Origin(Cloud.service))])
    let response = try await http.send(HTTPRequest(.get, try #require(URL(string: Cloud.service + "/"))))
    #expect(try JSONValue(json: response.body) == ["email": .string(Cloud.target)])
    let request = cloud.transport.requests[1]
    #expect(request.url.absoluteString == Self.base + Cloud.target + ":generateIdToken")
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"audience":"\#(Cloud.service)","includeEmail":true}"#)
  }

  @Test func delegatesLeadToTheAccount() async throws {
    let middle = "middle@sandbox-project.iam.gserviceaccount.com"
    let cloud = try await Cloud {
      var between = GoogleCloudSandbox.ServiceAccount(email: middle)
      between.tokenCreators = [Cloud.account]
      $0.serviceAccounts.append(between)
      $0.serviceAccounts[1].tokenCreators = [middle]
    }
    let source = try cloud.credential(try cloud.keyFile())
    let denied = try source.impersonating(Cloud.target, scopes: [Cloud.scope])
    await #expect(throws: GoogleCredentialError.self) { try await denied.accessToken() }
    let credential = try source.impersonating(Cloud.target, scopes: [Cloud.scope], delegates: [middle])
    let token = try await credential.accessToken()
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.principal == Cloud.target)
    let body = String(decoding: cloud.transport.requests.last?.body ?? [], as: UTF8.self)
    #expect(body.contains(#""delegates":["projects/-/serviceAccounts/\#(middle)"]"#))
  }

  @Test func subjectIsActedFor() async throws {
    let cloud = try await Cloud { $0.serviceAccounts[1].delegators = ["ada@example.com"] }
    let calendar: Scope = "https://www.googleapis.com/auth/calendar"
    let credential = try cloud.credential(try cloud.keyFile()).impersonating(
      Cloud.target, scopes: [Cloud.scope, calendar], subject: "ada@example.com")
    let token = try await credential.accessToken()
    let identity = try #require(cloud.sandbox.identity(ofAccessToken: token.value.reveal()))
    #expect(identity.principal == Cloud.target && identity.subject == "ada@example.com")
    let urls = cloud.transport.requests.map(\.url.absoluteString)
    #expect(urls == [Cloud.tokenURL, Self.base + Cloud.target + ":signJwt", Cloud.tokenURL])
    let body = try JSONValue(json: cloud.transport.requests[1].body ?? [])
    #expect(
      body["payload"]?.string
        == #"{"aud":"https://oauth2.googleapis.com/token","exp":1767229200,"iat":1767225600,"iss":"\#(Cloud.target)","scope":"\#(Cloud.scope) \#(calendar)","sub":"ada@example.com"}"#
    )
  }

  @Test func missingRoleSaysWhatToDo() async throws {
    let cloud = try await Cloud { $0.serviceAccounts[1].tokenCreators = [] }
    let credential = try cloud.credential(try cloud.keyFile()).impersonating(Cloud.target, scopes: [Cloud.scope])
    let error = await expectFailure(.refused, "the role Service Account Token Creator") {
      try await credential.accessToken()
    }
    #expect(error?.status == "PERMISSION_DENIED")
  }

  @Test(arguments: [
    (200, "{}", GoogleCredentialError.Code.invalidResponse, unknown), (200, "<html>", .invalidResponse, unknown),
    (200, #"{"accessToken":"a","expireTime":"soon"}"#, .invalidResponse, unknown),
    (200, #"{"accessToken":"","expireTime":"2026-01-01T00:00:00Z"}"#, .invalidResponse, unknown),
    (200, #"{"accessToken":"a"}"#, .invalidResponse, unknown),
    (503, "", .serverUnavailable, "(status 503). Try again later"),
    (429, "", .serverUnavailable, "(status 429). Try again later"),
    (400, "{}", .refused, "a token for \(Cloud.target) (status 400)"),
    (404, "<html>", .refused, "a token for \(Cloud.target) (status 404)"),
    (400, #"{"error":{"status":"INVALID_ARGUMENT"}}"#, .refused, "a token for \(Cloud.target) (INVALID_ARGUMENT)"),
  ])
  func everyResponseIsRead(
    _ status: Int, _ body: String, _ code: GoogleCredentialError.Code, _ message: String
  ) async throws {
    let credential = try source(try await Cloud()) { _ in HTTPResponse(status: status, body: Array(body.utf8)) }
      .impersonating(Cloud.target, scopes: [Cloud.scope])
    await expectFailure(code, message) { try await credential.accessToken() }
  }

  private static let unknown = "about \(Cloud.target) is not what Google documents"

  @Test(arguments: ["generateIdToken", "signJwt"]) func responseWithoutATokenIsRefused(_ method: String) async throws {
    let source = try source(try await Cloud()) { request in
      #expect(request.url.absoluteString.hasSuffix(":\(method)"))
      return HTTPResponse(status: 200, body: Array(#"{"signedJwt":""}"#.utf8))
    }
    let credential = try source.impersonating(
      Cloud.target, scopes: [Cloud.scope], subject: method == "signJwt" ? "ada@example.com" : nil)
    await expectFailure(.invalidResponse, Self.unknown) {
      method == "signJwt"
        ? try await credential.accessToken() : try await credential.idTokens(for: Cloud.service).accessToken()
    }
  }

  @Test func clockIsThatOfTheResponse() async throws {
    let cloud = try await Cloud()
    let body = #"{"accessToken":"a","expireTime":"2026-01-01T02:00:00Z"}"#
    let credential = try source(cloud) { _ in
      HTTPResponse(status: 200, fields: ["Date": "Thu, 01 Jan 2026 00:00:07 GMT"], body: Array(body.utf8))
    }.impersonating(Cloud.target, scopes: [Cloud.scope])
    let token = try await credential.accessToken()
    #expect(token.issuedAt == cloud.clock.now + .seconds(7) && token.serverClockOffset == .seconds(7))
    #expect(token.expiresAt == cloud.clock.now + .seconds(7200))
  }

  @Test func accountActsForNoUserOfAnotherCloud() async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(["GOOGLE_CLOUD_UNIVERSE_DOMAIN": "cloud.example"])
    let source = try GoogleCredential.externalAccount(
      audience: "pool", scopes: ["a"], in: environment, subjectToken: { Secret("t") })
    await expectFailure(.unsupported, "Omit the subject") {
      try source.impersonating(Cloud.target, scopes: ["a"], subject: "ada@example.com")
    }
    #expect(try source.impersonating(Cloud.target, scopes: ["a"]).principal == Cloud.target)
  }

  @Test func rejectedTokenOfTheSourceIsReplaced() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try cloud.keyFile()).impersonating(Cloud.target, scopes: [Cloud.scope])
    let first = try await credential.accessToken()
    cloud.sandbox.invalidateAccessTokens()
    #expect(try await credential.accessToken(replacing: first) != first)
  }

  @Test(arguments: ["", "a", "a@", "@b", "a@b@c", "a@b/c", "a@b:x", "../a@b", "a..b@c", "a@b..c", "a b@c"])
  func accountIsAnAddress(_ email: String) async throws {
    let cloud = try await Cloud()
    let source = try cloud.credential(try cloud.keyFile())
    for make in [
      { try source.impersonating(email, scopes: []) },
      { try source.impersonating(Cloud.target, scopes: [], delegates: [email]) },
    ] {
      await expectFailure(.invalidConfiguration, "Check the account and the delegates") { try make() }
    }
  }

  @Test func lifetimeIsChecked() async throws {
    let cloud = try await Cloud()
    let source = try cloud.credential(try cloud.keyFile())
    for lifetime in [Duration.zero, .milliseconds(999), .seconds(-1), .milliseconds(43_200_001), .seconds(43_201)] {
      await expectFailure(.invalidConfiguration, "Change it") {
        try source.impersonating(Cloud.target, scopes: [], lifetime: lifetime)
      }
    }
    for lifetime in [Duration.seconds(1), .seconds(43_200)] {
      #expect(try source.impersonating(Cloud.target, scopes: [], lifetime: lifetime).principal == Cloud.target)
    }
  }

  @Test func tokenIsGoodForAnHourUnlessAskedOtherwise() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(Cloud.userFile()).impersonating(Cloud.target, scopes: [Cloud.scope])
    _ = try await credential.accessToken()
    let ofFile = try cloud.credential(try file())
    _ = try await ofFile.accessToken()
    for request in [cloud.transport.requests[1], cloud.transport.requests[3]] {
      #expect(try JSONValue(json: request.body ?? [])["lifetime"] == "3600s")
      #expect(try JSONValue(json: request.body ?? [])["delegates"] == nil)
    }
  }

  @Test func delegatesOfTheFileAreSent() async throws {
    let cloud = try await Cloud()
    let names: JSONValue = ["projects/-/serviceAccounts/a@b", "c@d"]
    let credential = try cloud.credential(try file(["delegates": names]))
    await #expect(throws: GoogleCredentialError.self) { try await credential.accessToken() }
    let body = try JSONValue(json: try #require(cloud.transport.requests.last?.body))
    #expect(body["delegates"] == ["projects/-/serviceAccounts/a@b", "projects/-/serviceAccounts/c@d"])
  }

  // MARK: - The file

  private func file(_ changes: [String: JSONValue?] = [:]) throws -> String {
    var members: [String: JSONValue] = [
      "type": "impersonated_service_account", "delegates": [],
      "service_account_impersonation_url": .string(Self.base + Cloud.target + ":generateAccessToken"),
      "source_credentials": try JSONValue(json: Array(Cloud.userFile(["quota_project_id": nil]).utf8)),
    ]
    for (name, value) in changes { members[name] = value }
    return JSONValue.object(members).text
  }

  @Test func fileNamesSourceAndTarget() async throws {
    let cloud = try await Cloud()
    let credential = try cloud.credential(try file(["quota_project_id": "billing"]))
    #expect(credential.kind == .impersonatedServiceAccount && credential.principal == Cloud.target)
    #expect(credential.quotaProjectID == "billing")
    let token = try await credential.accessToken()
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.principal == Cloud.target)
    #expect(token.scopes == [Cloud.scope])
  }

  @Test func scopesOfTheFileCountWhereNoneAreNamed() async throws {
    let cloud = try await Cloud()
    let content = try file(["scopes": ["a", "b"]])
    #expect(try await cloud.credential(content, scopes: []).accessToken().scopes == ["a", "b"])
    #expect(try await cloud.credential(content).accessToken().scopes == [Cloud.scope])
  }

  @Test func sourceMayBeAKey() async throws {
    let cloud = try await Cloud { $0.serviceAccounts[1].delegators = ["ada@example.com"] }
    let source = try JSONValue(json: Array(try cloud.keyFile().utf8))
    let content = try file(["source_credentials": source])
    let token = try await cloud.credential(content, subject: "ada@example.com").accessToken()
    #expect(cloud.sandbox.identity(ofAccessToken: token.value.reveal())?.subject == "ada@example.com")
  }
}
