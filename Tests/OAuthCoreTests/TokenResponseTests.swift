// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

@Suite struct TokenResponseTests {
  private func refreshed(
    _ answer: HTTPResponse, from stored: StoredToken? = nil, clock: ManualClock = ManualClock()
  ) async throws -> StoredToken {
    let client = try Fixtures.client(StubTransport(answer), clock: clock)
    return try await client.refresh(stored ?? Fixtures.expired(clock))
  }

  @Test(arguments: [
    ("3600", 3600), (#""3600""#, 3600), (#"" 3600 ""#, 3600), ("3599.5", 3599.5), ("-5", 0), ("1e300", 315_360_000),
    (#""99999999999999999999""#, 315_360_000),
  ])
  func lifetimeIsReadInEveryFormAndClamped(_ text: String, _ seconds: Double) async throws {
    let clock = ManualClock()
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a","expires_in":\#(text)}"#), clock: clock)
    #expect(token.expiresAt == clock.now + .seconds(seconds))
  }

  @Test(arguments: [#""soon""#, #""0x10""#, #""inf""#, #""nan""#, #""+5""#, "true"])
  func lifetimeThatIsNoneCountsAsNotSaid(_ text: String) async throws {
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a","expires_in":\#(text)}"#))
    #expect(token.expiresAt == nil)
  }

  @Test func expiryIsByTheServersClock() async throws {
    let clock = ManualClock()
    let serverTime = clock.now + .seconds(900)
    let token = try await refreshed(
      Fixtures.json(#"{"access_token":"a","expires_in":60}"#, date: serverTime), clock: clock)
    #expect(token.expiresAt == serverTime + .seconds(60))
    #expect(token.serverClockOffset == .seconds(900))
  }

  @Test func whatTheAnswerOmitsIsCarriedForward() async throws {
    let clock = ManualClock()
    var stored = Fixtures.expired(clock)
    stored.idToken = Secret("id-1")
    let token = try await refreshed(
      Fixtures.json(#"{"access_token":"access-2","token_type":"bearer"}"#), from: stored, clock: clock)
    #expect(token.accessToken == Secret("access-2"))
    #expect(token.refreshToken == Secret("refresh-1"))
    #expect(token.idToken == Secret("id-1"))
    #expect(token.scopes == ["read"])
    #expect(token.issuer == "https://login.example")
  }

  @Test func rotatedTokenAndNarrowerScopesReplaceTheOldOnes() async throws {
    let token = try await refreshed(
      Fixtures.json(#"{"access_token":"a","refresh_token":"refresh-2","scope":"one two"}"#))
    #expect(token.refreshToken == Secret("refresh-2"))
    #expect(token.scopes == ["one", "two"])
  }

  private static func form(
    _ text: String, type: String = "application/x-www-form-urlencoded; charset=utf-8", status: Int = 200
  )
    -> HTTPResponse
  {
    HTTPResponse(status: status, fields: ["Content-Type": type], body: Array(text.utf8))
  }

  private func refreshed(_ response: HTTPResponse, quirks: Provider.Quirks) async throws -> StoredToken {
    let clock = ManualClock()
    let client = try OAuthClient(
      provider: Provider(name: "Odd", server: Fixtures.server(), quirks: quirks),
      registration: ClientRegistration(clientID: "app"), transport: StubTransport(response), clock: clock)
    return try await client.refresh(Fixtures.expired(clock))
  }

  @Test func tokenResponseThatIsAFormIsRead() async throws {
    let clock = ManualClock()
    let token = try await refreshed(
      Self.form("access_token=a%2Bb&token_type=bearer&expires_in=60&refresh_token=refresh-2&scope=one+two"),
      clock: clock)
    #expect(token.accessToken == Secret("a+b"))
    #expect(token.expiresAt == clock.now + .seconds(60))
    #expect(token.refreshToken == Secret("refresh-2"))
    #expect(token.scopes == ["one", "two"])
  }

  @Test func identityAndTypeInAFormAreRead() async throws {
    let client = try Fixtures.client(
      StubTransport(Self.form("access_token=a&token_type=MAC&id_token=e30.e30.c2ln&expires_in=soon")))
    let pending = try await client.beginAuthorization(scopes: ["openid"], redirectURI: Fixtures.redirect)
    let token = try await client.completeAuthorization(
      pending, callback: Fixtures.callback(pending, "code=c&state=STATE"))
    #expect(token.idToken == Secret("e30.e30.c2ln") && token.tokenType == "MAC" && token.expiresAt == nil)
    #expect(token.refreshToken == nil && token.scopes == ["openid"])
  }

  @Test func errorThatIsAFormIsRead() async throws {
    for status in [200, 400] {
      let error = await #expect(throws: OAuthError.self) {
        try await refreshed(Self.form("error=bad_refresh_token&error_description=Expired+token", status: status))
      }
      #expect(error?.code == .signInRequired)
      #expect(error?.serverDescription == "Expired token")
    }
  }

  @Test func formThatDoesNotSaySoIsReadWhereTheProviderDeclaresIt() async throws {
    let response = Self.form("access_token=a&expires_in=60", type: "text/plain")
    var quirks = Provider.Quirks()
    let error = await #expect(throws: OAuthError.self) { try await refreshed(response, quirks: quirks) }
    #expect(error?.code == .invalidResponse)
    quirks.sendsTokensAsForm = true
    #expect(try await refreshed(response, quirks: quirks).accessToken == Secret("a"))
    await expectError(.signInRequired) {
      try await refreshed(Self.form("error=invalid_grant", type: "text/plain"), quirks: quirks)
    }
  }

  @Test func commaSeparatesScopesOnlyWhereTheProviderSaysSo() async throws {
    let response = Fixtures.json(#"{"access_token":"a","scope":"repo,gist user"}"#)
    #expect(try await refreshed(response, quirks: Provider.Quirks()).scopes == ["repo,gist", "user"])
    #expect(try await refreshed(response, quirks: Provider.gitHub.quirks).scopes == ["repo", "gist", "user"])
  }

  @Test(arguments: ["text/html", "application/json", "application/x-www-form-urlencoded"])
  func pageInPlaceOfATokenDoesNotSayTryAgainLater(_ type: String) async throws {
    let error = await #expect(throws: OAuthError.self) {
      try await refreshed(Self.form("<html>Log in</html>", type: type))
    }
    #expect(error?.code == .invalidResponse)
    #expect(error?.message.contains("later") == false)
  }

  @Test(arguments: [#"" ""#, #"[""]"#, "[null]"])
  func emptyScopeOfARefreshDoesNotEmptyTheStoredOnes(_ scope: String) async throws {
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a","scope":\#(scope)}"#))
    #expect(token.scopes == ["read"])
  }

  @Test(arguments: [
    ("", "Bearer", "GitHub and others do not send it"),
    (#","token_type":"bearer""#, "bearer", "as written"),
    (#","token_type":"mac""#, "mac", "the transport that presents the token decides"),
  ])
  func tokenTypeIsKept(_ member: String, _ type: String, _ reason: String) async throws {
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a"\#(member)}"#))
    #expect(token.tokenType == type, "\(reason)")
  }

  @Test(
    "A raw line break or a byte of Latin-1 does not hide the error",
    arguments: ["one line\nand another", "expir\u{E9}"])
  func errorThatIsNotJSONToTheLetterIsRead(_ description: String) async throws {
    let text = #"{"error":"invalid_grant","error_description":"\#(description)"}"#
    let body = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect((try? JSONSerialization.jsonObject(with: Data(body))) == nil)
    for mark in [[], Array("\u{FEFF}".utf8)] {
      let error = await #expect(throws: OAuthError.self) {
        try await refreshed(HTTPResponse(status: 400, body: mark + body))
      }
      #expect(error?.code == .signInRequired && error?.serverCode == "invalid_grant")
    }
    // A token must be what the server sent, and is never read in this way.
    let token = text.replacing(#""error":"invalid_grant""#, with: #""access_token":"a""#)
    await expectError(.invalidResponse) {
      try await refreshed(
        HTTPResponse(status: 200, body: token.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
    }
  }

  @Test(arguments: [
    ("<html>Welcome to the hotel</html>", 200), (#"{"access_token":"a","#, 200), ("", 200), ("[]", 200), ("null", 200),
    (#"{"token_type":"bearer"}"#, 200), (#"{"access_token":""}"#, 200), (#"{"access_token":7}"#, 200),
    ("<html>", 404), ("<html>", 400), ("", 404),
    (#"{"error":7}"#, 400),
  ])
  func answerThatIsNoTokenIsATypedError(_ body: String, _ status: Int) async throws {
    await expectError(.invalidResponse) { try await refreshed(Fixtures.json(body, status: status)) }
  }

  @Test(arguments: [
    (#"{"error":"invalid_grant"}"#, 400, OAuthError.Code.signInRequired),
    (#"{"error":"invalid_grant"}"#, 401, .signInRequired),
    (#"{"error":"invalid_client"}"#, 401, .requestRejected),
    (#"{"error":"made_up"}"#, 400, .requestRejected),
    (#"{"error":"temporarily_unavailable"}"#, 400, .serverUnavailable),
    (#"{"error":"invalid_grant"}"#, 503, .serverUnavailable),
    (#"{"error":"server_error"}"#, 400, .serverUnavailable),
    (#"{"error":"slow_down"}"#, 400, .serverUnavailable),
    ("", 408, .serverUnavailable),
    (#"{"error":"invalid_grant"}"#, 200, .signInRequired),
    (#"{"error":"bad_refresh_token"}"#, 200, .signInRequired),
    (#"{"error":"bad_refresh_token","error_description":7}"#, 400, .signInRequired),
    (#"{"error":"interaction_required"}"#, 400, .signInRequired),
    (#"{"error":"consent_required"}"#, 400, .signInRequired),
    (#"{"error":"login_required"}"#, 401, .signInRequired),
    (#"{"error":"login_required"}"#, 503, .serverUnavailable),
    ("<h1>oops</h1>", 500, .serverUnavailable),
    ("", 429, .serverUnavailable),
  ])
  func errorIsTypedWhateverItsStatus(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    await expectError(code) { try await refreshed(Fixtures.json(body, status: status)) }
  }

  @Test(arguments: [("", 400), ("", 401), (" \r\n", 403)])
  func refreshThatIsRefusedWithAnEmptyBodyRequiresASignIn(_ body: String, _ status: Int) async throws {
    await expectError(.signInRequired) { try await refreshed(Fixtures.json(body, status: status)) }
  }

  @Test func codeThatIsRefusedWithAnEmptyBodyDoesNot() async throws {
    let client = try Fixtures.client(StubTransport(HTTPResponse(status: 400)))
    let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
    await expectError(.invalidResponse) {
      try await client.completeAuthorization(pending, callback: try Fixtures.callback(pending, "code=c&state=STATE"))
    }
  }

  @Test func serversDescriptionIsReducedToPrintableText() async throws {
    let answer = Fixtures.json(#"{"error":"invalid_scope","error_description":"no\u001b[31m\nway\u202e"}"#, status: 400)
    let error = await #expect(throws: OAuthError.self) { try await refreshed(answer) }
    #expect(error?.serverDescription == "no[31mway")
    #expect(error?.description.contains("way") == false)
  }

  @Test func serversDescriptionIsCutAndNeverDumped() async throws {
    let long = String(repeating: "x", count: 1000)
    let answer = Fixtures.json(#"{"error":"invalid_scope","error_description":"\#(long)"}"#, status: 400)
    let error = try #require(await #expect(throws: OAuthError.self) { try await refreshed(answer) })
    #expect(error.serverDescription?.count == 300)
    var dumped = ""
    dump(error, to: &dumped)
    #expect(!dumped.contains("xxx"))
  }

  @Test(arguments: [
    #"{"error":"invalid_grant","error_description":"refresh\u0007-1"}"#,
    #"{"error":"refresh-1","error_description":"x"}"#, #"{"error":"re\u009bfresh-\u202e1"}"#,
  ])
  func secretThatTheServerRepeatsIsNotShownInAnyGuise(_ body: String) async throws {
    let error = try #require(
      await #expect(throws: OAuthError.self) { try await refreshed(Fixtures.json(body, status: 400)) })
    for text in [error.serverCode, error.serverDescription] { #expect(text?.contains("refresh-1") != true) }
    #expect([error.serverCode, error.serverDescription].contains("<redacted>"))
  }

  @Test func oddMemberBesideAGoodTokenDoesNotCostIt() async throws {
    let token = try await refreshed(
      Fixtures.json(
        #"{"access_token":"a","refresh_token":"refresh-2","scope":["one","two"],"token_type":7,"id_token":[]}"#))
    #expect(token.refreshToken == Secret("refresh-2"))
    #expect(token.scopes == ["one", "two"])
  }

  @Test func idTokenOfARefreshDoesNotReplaceTheVerifiedOne() async throws {
    let clock = ManualClock()
    var stored = Fixtures.expired(clock)
    stored.idToken = Secret("verified")
    let token = try await refreshed(
      Fixtures.json(#"{"access_token":"a","id_token":"unverified"}"#), from: stored, clock: clock)
    #expect(token.idToken == Secret("verified"))
  }

  /// A server that says back every parameter and field of a request that may not be shown.
  @Test func whatWasSentAndComesBackIsNotShown() async throws {
    let names = [
      "code", "code_verifier", "refresh_token", "token", "client_secret", "client_assertion", "assertion",
      "subject_token", "actor_token", "device_code",
    ]
    let transport = StubTransport { request in
      if request.url.path() == "/device" {
        return Fixtures.json(
          #"{"device_code":"the device code","user_code":"u","verification_uri":"https://login.example/"}"#)
      }
      let fields = [request.fields["DPoP"], request.fields["Authorization"]?.replacing("Basic ", with: "")]
      let echo = (names.map { request.form[$0] } + fields).compactMap(\.self).joined(separator: "|")
      return Fixtures.json(#"{"error":"invalid_request","error_description":"|\#(echo)|"}"#, status: 400)
    }
    let key = try SigningKey.generate(.es256)
    let secret = Secret("the secret of the client, of many bytes")
    let token = Fixtures.expired(ManualClock(), refreshToken: "the refresh token")
    let calls: [@Sendable (OAuthClient) async throws -> Void] = [
      { client in
        let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
        let callback = try Fixtures.callback(pending, "code=the-code&state=STATE")
        _ = try await client.completeAuthorization(pending, callback: callback)
      },
      { _ = try await $0.refresh(token) }, { try await $0.revoke(token) },
      { _ = try await $0.introspect(Secret("the token")) },
      { _ = try await $0.exchange(Secret("the subject"), actor: Secret("the actor"), by: TokenExchange()) },
      { _ = try await JWTBearer(client: $0, issuer: "i", subject: "s", key: key).accessToken() },
      { _ = try await $0.completeDeviceAuthorization($0.beginDeviceAuthorization(scopes: [])) },
    ]
    for authentication: any ClientAuthentication in [
      .none, .clientSecretPost(secret), .clientSecretBasic(secret), .clientSecretBasicUnencoded(secret),
      .clientSecret(secret), .privateKeyJWT(key), try .clientSecretJWT(secret),
    ] {
      let client = try ErrorMessageTests.client(transport, clock: ManualClock(skipsWaits: true)) {
        $0.registration.authentication = authentication
        $0.registration.dpop = .preferred
        $0.provider.server.dpopSigningAlgValuesSupported = ["ES256"]
        $0.provider.server.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device")
        $0.provider.server.introspectionEndpoint = URL(literal: "https://login.example/introspect")
      }
      for (number, call) in calls.enumerated() {
        let error = try #require(await #expect(throws: OAuthError.self) { try await call(client) })
        let parts = try #require(error.serverDescription).split(separator: "|")
        #expect(!parts.isEmpty && parts.allSatisfy { $0 == "<redacted>" }, "\(authentication) \(number): \(parts)")
      }
    }
  }

  /// The state, and a code beside an error.
  @Test func repeatedStateAndCodeAreNotShown() async throws {
    let client = try Fixtures.client(StubTransport())
    let pending = try await client.beginAuthorization(scopes: ["openid"], redirectURI: Fixtures.redirect)
    let callback = try Fixtures.callback(
      pending, "error=STATE&error_description=a%07STATE+s3cretcode&code=s3cretcode&state=STATE")
    let error = await #expect(throws: OAuthError.self) {
      try await client.completeAuthorization(pending, callback: callback)
    }
    #expect(error?.serverCode == "<redacted>")
    #expect(error?.serverDescription == "a<redacted> <redacted>")
  }

  @Test func tokensOfAnotherServerOrClientAreNotSent() async throws {
    let clock = ManualClock()
    let transport = StubTransport()
    let client = try Fixtures.client(transport, clock: clock)
    var (foreign, other) = (Fixtures.expired(clock), Fixtures.expired(clock))
    (foreign.issuer, other.clientID) = ("https://other.example", "other")
    for (token, code) in [(foreign, OAuthError.Code.issuerMismatch), (other, .clientMismatch)] {
      await expectError(code) { try await client.refresh(token) }
      await expectError(code) { try await client.revoke(token) }
    }
    #expect(transport.requests.isEmpty)
  }
}
