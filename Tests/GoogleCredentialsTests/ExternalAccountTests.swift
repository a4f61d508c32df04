// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Synchronization
import Testing
import Timekeeping
import TokenStore

/// Workloads elsewhere: their tokens from a file, a URL or the program itself.
@Suite struct ExternalAccountTests {
  static let pool = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool"
  static let audience = pool + "/providers/provider"
  static let workforce = "//iam.googleapis.com/locations/global/workforcePools/staff"
  static let principal = "principal:\(pool)/subject/job-7"
  static let impersonation =
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(Cloud.target):generateAccessToken"
  static let jwt = "urn:ietf:params:oauth:token-type:jwt"

  private let issuerKey: SigningKey

  init() throws { issuerKey = try SigningKey.generate(.es256) }

  private func cloud(_ change: (inout GoogleCloudSandbox.Configuration) -> Void = { _ in }) async throws -> Cloud {
    try await Cloud { configuration in
      configuration.identityProviders = [Self.audience, Self.workforce + "/providers/provider"].map {
        GoogleCloudSandbox.IdentityProvider(
          audience: $0, issuer: "https://ci.example", keys: JWKSet([issuerKey.publicJWK]))
      }
      configuration.serviceAccounts[1].tokenCreators.insert(Self.principal)
      change(&configuration)
    }
  }

  private func subjectToken(_ clock: ManualClock) throws -> String {
    let claims: JSONValue = [
      "iss": "https://ci.example", "sub": "job-7",
      "exp": .number(JSONNumber((clock.now + .seconds(7200)).secondsSince1970)),
    ]
    return try JWS.sign(claims.json(), with: issuerKey, keyID: issuerKey.publicJWK.keyID)
  }

  static func file(_ changes: [String: JSONValue?] = [:]) -> String {
    var members: [String: JSONValue] = [
      "type": "external_account", "audience": .string(audience), "subject_token_type": .string(jwt),
      "token_url": "https://sts.googleapis.com/v1/token", "credential_source": ["file": "/var/run/token"],
    ]
    for (name, value) in changes { members[name] = value }
    return JSONValue.object(members).text
  }

  private func credential(
    _ content: String, _ cloud: Cloud, files: [String: String] = [:], subject: String? = nil
  ) async throws -> GoogleCredential {
    let all = files.merging(["/account.json": content]) { $1 }
    return try await GoogleCredential.file(
      "/account.json", scopes: [Cloud.scope], subject: subject, in: cloud.environment(files: all))
  }

  /// Files that were written on Windows, and by programs that write every member.
  @Test(arguments: [.null, "", [], [:]] as [JSONValue])
  func byteOrderMarksAndEmptyMembersAreIgnored(_ empty: JSONValue) async throws {
    let cloud = try await cloud()
    let token = try subjectToken(cloud.clock)
    for (format, content) in [
      (empty, token), (["type": "json", "subject_token_field_name": "t"], #"{"t":"\#(token)"}"#),
    ] {
      let source: JSONValue = [
        "file": "/var/run/token", "format": format, "url": empty, "executable": empty, "environment_id": empty,
      ]
      let file = Self.file([
        "credential_source": source, "service_account_impersonation_url": empty,
        "service_account_impersonation": ["token_lifetime_seconds": 0], "client_id": empty, "universe_domain": empty,
      ])
      let credential = try await credential(
        "\u{FEFF}" + file, cloud, files: ["/var/run/token": "\u{FEFF}\(content)\n"])
      let access = try await credential.accessToken()
      #expect(cloud.sandbox.identity(ofAccessToken: access.value.reveal())?.principal == Self.principal)
    }
  }

  @Test func tokenOfAFileIsExchanged() async throws {
    let cloud = try await cloud()
    let token = try subjectToken(cloud.clock)
    let credential = try await credential(Self.file(), cloud, files: ["/var/run/token": token + "\n"])
    let access = try await credential.accessToken()
    let request = try #require(cloud.transport.requests.first)
    #expect(request.url.absoluteString == "https://sts.googleapis.com/v1/token")
    #expect(request.fields["Authorization"] == nil)
    #expect(
      request.form == [
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "audience": Self.audience,
        "scope": Cloud.scope.rawValue, "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "subject_token": token, "subject_token_type": Self.jwt,
      ])
    #expect(cloud.sandbox.identity(ofAccessToken: access.value.reveal())?.principal == Self.principal)
    #expect(access.scopes == [Cloud.scope] && credential.kind == .externalAccount)
    _ = try await credential.accessToken()
    #expect(cloud.transport.requests.count == 1)
  }

  @Test func tokenIsReadAnewForEachExchange() async throws {
    let cloud = try await cloud()
    let count = Mutex(0)
    let credential = try GoogleCredential.externalAccount(
      audience: Self.audience, scopes: [Cloud.scope], in: cloud.environment()
    ) { [clock = cloud.clock] in
      count.withLock { $0 += 1 }
      return Secret(try subjectToken(clock))
    }
    _ = try await credential.accessToken()
    cloud.clock.advance(by: .seconds(3600))
    _ = try await credential.accessToken()
    #expect(count.withLock(\.self) == 2)
  }

  @Test func tokenOfAURLIsExchanged() async throws {
    let cloud = try await cloud()
    let token = try subjectToken(cloud.clock)
    let source: JSONValue = [
      "url": "http://169.254.169.254/metadata/identity/oauth2/token?resource=google", "headers": ["Metadata": "True"],
      "format": ["type": "json", "subject_token_field_name": "access_token"],
    ]
    let transport = StubTransport { request in
      guard request.url.host() == "169.254.169.254" else { return try await cloud.transport.send(request) }
      #expect(request.method == .get && request.fields["Metadata"] == "True")
      #expect(request.redirectScope == .noOrigin, "the fields are meant for this URL alone")
      return HTTPResponse(status: 200, body: Array(#"{"access_token":"\#(token)"}"#.utf8))
    }
    var environment = cloud.environment()
    environment.transport = transport
    let content = Array(Self.file(["credential_source": source]).utf8)
    let credential = try GoogleCredential.json(content, scopes: [Cloud.scope], in: environment)
    let access = try await credential.accessToken()
    #expect(cloud.sandbox.identity(ofAccessToken: access.value.reveal())?.principal == Self.principal)
  }

  @Test(arguments: [
    (HTTPResponse(status: 404), "https://ci.example responded with status 404"),
    (HTTPResponse(status: 200), "no token"), (HTTPResponse(status: 200, body: Array(" \n".utf8)), "no token"),
    (HTTPResponse(status: 200, body: [0xFF]), "no token"),
    (
      HTTPResponse(status: 200, body: Array("token".utf8), redirectedOrigin: Origin("https://evil.example")),
      "redirected the request for the workload's token"
    ),
  ])
  func responseWithoutATokenIsAnError(_ response: HTTPResponse, _ message: String) async throws {
    let content = Self.file(["credential_source": ["url": "https://ci.example/token"]])
    let environment = CredentialEnvironment(StubTransport { _ in response })
    let credential = try GoogleCredential.json(Array(content.utf8), scopes: [Cloud.scope], in: environment)
    await expectFailure(.subjectTokenUnavailable, message) { try await credential.accessToken() }
  }

  @Test(arguments: ["https://ci.example/token", "http://127.0.0.1:8080/token", "http://169.254.169.254/token"])
  func tokenOfAURLIsRequestedOnceAndInTime(_ url: String) async throws {
    let transport = StubTransport { _ in HTTPResponse(status: 500) }
    let environment = CredentialEnvironment(transport)
    let content = Self.file(["credential_source": ["url": .string(url)]])
    let credential = try GoogleCredential.json(Array(content.utf8), scopes: [Cloud.scope], in: environment)
    await #expect(throws: GoogleCredentialError.self) { try await credential.accessToken() }
    let request = try #require(transport.requests.first)
    #expect(transport.requests.count == 1 && request.url.absoluteString == url)
    #expect(request.timeout == .seconds(10) && request.redirectScope == .noOrigin && Array(request.fields).isEmpty)
  }

  @Test(arguments: [nil, "", " \n", "{}", #"{"token":7}"#])
  func fileWithoutATokenIsAnError(_ content: String?) async throws {
    let cloud = try await cloud()
    let source: JSONValue = [
      "file": "/var/run/token", "format": ["type": "json", "subject_token_field_name": "token"],
    ]
    let credential = try await credential(
      Self.file(["credential_source": source]), cloud, files: content.map { ["/var/run/token": $0] } ?? [:])
    let remedy = content == nil ? "Check the program that writes it" : "no token in the credential's format"
    await expectFailure(.subjectTokenUnavailable, remedy, file: "/var/run/token") { try await credential.accessToken() }
    #expect(cloud.transport.requests.isEmpty)
  }

  @Test func tokenThatThePoolRefusesIsReported() async throws {
    let cloud = try await cloud()
    let credential = try await credential(Self.file(), cloud, files: ["/var/run/token": "not.a.token"])
    let error = try await failure(OAuthError.self) { try await credential.accessToken() }
    #expect(error.code == .requestRejected && error.serverCode == "invalid_grant")
  }

  @Test func serviceAccountIsImpersonated() async throws {
    let cloud = try await cloud()
    let file = Self.file([
      "service_account_impersonation_url": .string(Self.impersonation),
      "service_account_impersonation": ["token_lifetime_seconds": 900],
    ])
    let credential = try await credential(file, cloud, files: ["/var/run/token": try subjectToken(cloud.clock)])
    #expect(credential.kind == .externalAccount && credential.principal == Cloud.target)
    let access = try await credential.accessToken()
    #expect(
      cloud.transport.requests.map(\.url.absoluteString) == ["https://sts.googleapis.com/v1/token", Self.impersonation])
    #expect(cloud.transport.requests[0].form["scope"] == "https://www.googleapis.com/auth/iam")
    #expect(
      String(decoding: cloud.transport.requests[1].body ?? [], as: UTF8.self)
        == #"{"lifetime":"900s","scope":["\#(Cloud.scope)"]}"#)
    let identity = try #require(cloud.sandbox.identity(ofAccessToken: access.value.reveal()))
    #expect(identity.principal == Cloud.target && identity.scopes == [Cloud.scope])
    #expect(access.expiresAt == cloud.clock.now + .seconds(900))
    // Half of the lifetime at most is the leeway.
    cloud.clock.advance(by: .seconds(900 - 226))
    #expect(try await credential.accessToken() == access)
  }

  @Test func impersonatedAccountGivesIDTokens() async throws {
    let cloud = try await cloud()
    let file = Self.file(["service_account_impersonation_url": .string(Self.impersonation)])
    let credential = try await credential(file, cloud, files: ["/var/run/token": try subjectToken(cloud.clock)])
    let http = cloud.transport.authorized(
      by: try credential.idTokens(for: Cloud.service), for: [try #require(Origin(Cloud.service))])
    let response = try await http.send(HTTPRequest(.get, try #require(URL(string: Cloud.service + "/"))))
    #expect(try JSONValue(json: response.body) == ["email": .string(Cloud.target)])
  }

  @Test func workloadAloneGivesNoIDTokensAndActsForNoUser() async throws {
    let cloud = try await cloud()
    let credential = try await credential(Self.file(), cloud)
    await expectFailure(.unsupported, "Impersonate a service account that may call the service") {
      try credential.idTokens(for: Cloud.service)
    }
    #expect(try await credential.projectID() == nil && credential.principal == nil)
    await expectFailure(.unsupported) {
      try await self.credential(Self.file(), cloud, subject: "ada@example.com")
    }
  }

  @Test func workforceUserNamesAProject() async throws {
    let cloud = try await cloud()
    let file = Self.file([
      "audience": .string(Self.workforce + "/providers/provider"), "workforce_pool_user_project": "42",
    ])
    let credential = try await credential(file, cloud, files: ["/var/run/token": try subjectToken(cloud.clock)])
    _ = try await credential.accessToken()
    #expect(cloud.transport.requests.first?.form["options"] == "%7B%22userProject%22%3A%2242%22%7D")
  }

  @Test func clientAuthenticatesInsteadOfNamingAProject() async throws {
    let cloud = try await cloud {
      $0.identityProviders[1].clientID = "client+1"
      $0.identityProviders[1].clientSecret = Secret("a/b")
    }
    let file = Self.file([
      "audience": .string(Self.workforce + "/providers/provider"), "workforce_pool_user_project": "42",
      "client_id": "client+1", "client_secret": "a/b",
    ])
    let credential = try await credential(file, cloud, files: ["/var/run/token": try subjectToken(cloud.clock)])
    _ = try await credential.accessToken()
    let request = try #require(cloud.transport.requests.first)
    #expect(request.fields["Authorization"] == "Basic " + Data("client+1:a/b".utf8).base64EncodedString())
    #expect(request.form["options"] == nil && request.form["client_id"] == nil)
  }

  // MARK: - Files that cannot be used

  /// Hosts that a file names for a token, and that are rejected: anyone may own a bucket of some name, and other domains are as long as
  /// Google's or end like it.
  private static let otherTokenURLs = [
    "https://evil.example/v1/token", "http://sts.googleapis.com/v1/token",
    "https://sts.googleapis.com.evil.example/v1/token", "https://storage.googleapis.com/bucket/token",
    "https://xsts.googleapis.com/v1/token", "https://sts.evil.example/googleapis.com",
    "https://a.b.c.sts.googleapis.com/", "https://sts.storage.googleapis.com/v1/token",
    "https://storage.sts.googleapis.com/v1/token", "https://bucket-sts.googleapis.com/v1/token",
    "https://sts.storage.rep.googleapis.com/v1/token", "https://sts.us-east.googleapis.com/",
    "https://sts.us-1.googleapis.com/", "https://sts.us-east1b.googleapis.com/", "https://sts.a-b-c1.googleapis.com/",
    "https://sts.googleapis.com:444/v1/token", "https://-x.p.googleapis.com/", "https://sts.attackers1.com/v1/token",
    "https://us-east1-sts.attackers1.com/v1/token", "https://stsxgoogleapis.com/v1/token",
    "https://sts.xgoogleapis.com/v1/token", "https://googleapis.com/v1/token", "https://sts..googleapis.com/v1/token",
    "https://.sts.googleapis.com/v1/token", "https://.googleapis.com/v1/token",
    "https://-sts.googleapis.com/v1/token", "https://east-sts.googleapis.com/v1/token",
    "https://x-us-east1-sts.googleapis.com/v1/token", "https://sts1.googleapis.com/v1/token",
    "https://sts.p.googleapis.com/v1/token", "https://stsx.p.googleapis.com/v1/token",
    "https://sts-endpoint.q.googleapis.com/v1/token", "https://mtls.sts.googleapis.com/v1/token",
    "https://rep.sts.googleapis.com/v1/token", "https://sts.rep.googleapis.com/v1/token",
    "https://us-east1.sts.rep.googleapis.com/", "https://sts.us-east1.p.googleapis.com/",
    "https://sts.mtls.rep.googleapis.com/", "https://sts-endpoint.p.rep.googleapis.com/",
    "https://x.us-east1.rep.googleapis.com/", "https://sts-endpoint.us-east1.rep.googleapis.com/",
    "https://sts.us-east1.rep.rep.googleapis.com/", "https://sts.us-east1.googleapis.com:80/",
    "https://sts.us1-east1.googleapis.com/", "https://sts.us-east.googleapis.com/",
    "https://sts.us--east1.googleapis.com/", "https://-us-east1.sts.googleapis.com/",
    "https://us-east1--sts.googleapis.com/", "https://sts.us-east1-.rep.googleapis.com/",
    "https://user:@sts.googleapis.com/", "https://:pw@sts.googleapis.com/", "https://sts.googleapis.com/#x",
  ]

  private static let otherImpersonationURLs = [
    "https://iamcredentials.attackers1.com/v1/projects/-/serviceAccounts/a@b:generateAccessToken",
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b:generateAccessToken?x=y",
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b:generateAccessTokens",
    "https://evil.example/v1/projects/-/serviceAccounts/a@b:generateAccessToken",
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b:signJwt",
    "https://iamcredentials.googleapis.com/v1/other:generateAccessToken",
    "http://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b:generateAccessToken",
  ]

  @Test(
    arguments: otherTokenURLs.map { ("token_url", $0) }
      + otherImpersonationURLs.map { ("service_account_impersonation_url", $0) })
  func tokenGoesToGoogleOnly(_ member: String, _ url: String) async throws {
    let error = try await failure(GoogleCredentialError.self) {
      try await credential(Self.file([member: .string(url)]), try await cloud())
    }
    #expect(error.code == .untrustedURL && error.member == member && !error.message.contains("evil"))
  }

  @Test(arguments: [
    "https://sts.googleapis.com/v1/token", "https://us-east1-sts.googleapis.com/v1/token",
    "https://us-east1.sts.googleapis.com/v1/token", "https://sts.us-east1.googleapis.com/v1/token",
    "https://sts-endpoint.p.googleapis.com/v1/token", "https://sts.us-east1.rep.googleapis.com/v1/token",
    "https://eu-sts.googleapis.com/v1/token", "https://sts.northamerica-northeast12.googleapis.com/v1/token",
    "https://sts.mtls.googleapis.com/v1/token", "https://us-sts.googleapis.com/v1/token",
    "https://global-sts.googleapis.com/v1/token", "https://us.sts.googleapis.com/v1/token",
    "https://sts.global.googleapis.com/v1/token", "https://sts.eu.rep.googleapis.com/v1/token",
    "https://sts.az-za09.googleapis.com/v1/token", "https://sts-x.p.googleapis.com/v1/token",
    "https://STS.GoogleAPIs.com:443/v1/token",
  ])
  func endpointsOfRegionsAreAccepted(_ url: String) async throws {
    _ = try await credential(Self.file(["token_url": .string(url)]), try await cloud())
  }

  @Test func accountMayBePercentEncoded() async throws {
    let url = Self.impersonation.replacing("@", with: "%40")
    let credential = try await credential(
      Self.file(["service_account_impersonation_url": .string(url)]), try await cloud())
    #expect(credential.principal == Cloud.target)
  }

  @Test func accountMayBeNamedByItsNumber() async throws {
    let url = Self.impersonation.replacing(Cloud.target, with: Cloud.targetNumber)
    let content = Self.file(["service_account_impersonation_url": .string(url)])
    let cloud = try await cloud()
    let credential = try await credential(content, cloud, files: ["/var/run/token": try subjectToken(cloud.clock)])
    let access = try await credential.accessToken()
    #expect(credential.principal == Cloud.targetNumber)
    #expect(cloud.sandbox.identity(ofAccessToken: access.value.reveal())?.principal == Cloud.target)
    await expectFailure(.unsupported, "e-mail address instead of its number") {
      try await self.credential(content, cloud, subject: "ada@example.com")
    }
  }

  @Test(arguments: [600, 43_200]) func lifetimeAtTheLimitIsAccepted(_ seconds: Int) async throws {
    let options = JSONValue.object(["token_lifetime_seconds": .number(JSONNumber(seconds))])
    let file = Self.file(["service_account_impersonation": options])
    #expect(try await credential(file, try await cloud()).kind == .externalAccount)
  }
}
