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

  @Test(
    arguments: [
      ("3600", 3600), (#""3600""#, 3600), (#"" 3600 ""#, 3600), ("3599.5", 3599.5), ("-5", 0), ("1e300", 315_360_000),
      (#""99999999999999999999""#, 315_360_000),
      (#""soon""#, nil), (#""0x10""#, nil), (#""inf""#, nil), (#""nan""#, nil), (#""+5""#, nil), ("true", nil),
    ] as [(String, Double?)])
  func lifetimeIsReadInEveryFormAndClamped(_ text: String, _ seconds: Double?) async throws {
    let clock = ManualClock()
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a","expires_in":\#(text)}"#), clock: clock)
    #expect(token.expiresAt == seconds.map { clock.now + .seconds($0) })
  }

  @Test func expiryIsByTheServersClock() async throws {
    let clock = ManualClock()
    let serverTime = clock.now + .seconds(900)
    let token = try await refreshed(
      Fixtures.json(#"{"access_token":"a","expires_in":60}"#, date: serverTime), clock: clock)
    #expect(token.expiresAt == serverTime + .seconds(60) && token.serverClockOffset == .seconds(900))
  }

  @Test func whatTheAnswerOmitsIsCarriedForward() async throws {
    let clock = ManualClock()
    var stored = Fixtures.expired(clock)
    stored.idToken = Secret("id-1")
    let token = try await refreshed(
      Fixtures.json(#"{"access_token":"access-2","token_type":"bearer"}"#), from: stored, clock: clock)
    (stored.accessToken, stored.tokenType, stored.expiresAt) = (Secret("access-2"), "bearer", nil)
    stored.issuedAt = token.issuedAt
    #expect(token == stored)
  }

  @Test(arguments: [
    #"{"access_token":"a","refresh_token":"refresh-2","scope":"one two"}"#,
    #"{"access_token":"a","refresh_token":"refresh-2","scope":["one","two"],"token_type":7,"id_token":[]}"#,
    "access_token=a&token_type=bearer&expires_in=60&refresh_token=refresh-2&scope=one+two",
  ])
  func rotatedTokenAndNarrowerScopesReplaceTheOldOnes(_ body: String) async throws {
    let token = try await refreshed(body.hasPrefix("{") ? Fixtures.json(body) : Self.form(body))
    #expect(token.accessToken == Secret("a") && token.refreshToken == Secret("refresh-2"))
    #expect(token.scopes == ["one", "two"] && (token.expiresAt == nil) == body.hasPrefix("{"))
  }

  private static func form(
    _ text: String, type: String = "application/x-www-form-urlencoded; charset=utf-8", status: Int = 200
  ) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": type], body: Array(text.utf8))
  }

  private func refreshed(_ response: HTTPResponse, quirks: Provider.Quirks) async throws -> StoredToken {
    let clock = ManualClock()
    return try await Fixtures.client(StubTransport(response), clock: clock) { $0.provider.quirks = quirks }
      .refresh(Fixtures.expired(clock))
  }

  @Test func identityAndTypeInAFormAreRead() async throws {
    let token = try await Fixtures.client(
      StubTransport(Self.form("access_token=a%2Bb&token_type=MAC&id_token=e30.e30.c2ln&expires_in=soon"))
    ).signIn(["openid"])
    #expect(token.accessToken == Secret("a+b") && token.idToken == Secret("e30.e30.c2ln"))
    #expect(token.tokenType == "MAC" && token.expiresAt == nil)
    #expect(token.refreshToken == nil && token.scopes == ["openid"])
  }

  @Test(arguments: [200, 400]) func errorThatIsAFormIsRead(_ status: Int) async throws {
    let error = await expectError(.signInRequired) {
      try await refreshed(Self.form("error=bad_refresh_token&error_description=Expired+token", status: status))
    }
    #expect(error?.serverDescription == "Expired token")
  }

  @Test func formThatDoesNotSaySoIsReadWhereTheProviderDeclaresIt() async throws {
    let response = Self.form("access_token=a&expires_in=60", type: "text/plain")
    var quirks = Provider.Quirks()
    await expectError(.invalidResponse) { try await refreshed(response, quirks: quirks) }
    quirks.sendsTokensAsForm = true
    #expect(try await refreshed(response, quirks: quirks).accessToken == Secret("a"))
    await expectError(.signInRequired) {
      try await refreshed(Self.form("error=invalid_grant", type: "text/plain"), quirks: quirks)
    }
  }

  @Test(arguments: ["text/html", "application/json", "application/x-www-form-urlencoded"])
  func pageInPlaceOfATokenDoesNotSayTryAgainLater(_ type: String) async throws {
    let error = await expectError(.invalidResponse) {
      try await refreshed(Self.form("<html>Log in</html>", type: type))
    }
    #expect(error?.message.contains("later") == false)
  }

  /// A token that was given is not thrown away for an error beside it: the refresh token is spent.
  @Test(arguments: [
    Fixtures.json(#"{"access_token":"a","error":"invalid_grant"}"#),
    Fixtures.json(#"{"error":"server_error","access_token":"a","error_description":"x"}"#),
    form("access_token=a&error=invalid_grant"),
  ])
  func tokenBesideAnErrorIsAToken(_ response: HTTPResponse) async throws {
    let token = try await refreshed(response)
    #expect(token.accessToken == Secret("a") && token.refreshToken == Secret("refresh-1"))
  }

  @Test(
    "A raw line break or a byte of Latin-1 does not hide the error",
    arguments: ["one line\nand another", "expir\u{E9}"])
  func errorThatIsNotJSONToTheLetterIsRead(_ description: String) async throws {
    let text = #"{"error":"invalid_grant","error_description":"\#(description)"}"#
    let body = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect((try? JSONSerialization.jsonObject(with: Data(body))) == nil)
    for mark in [[], Array("\u{FEFF}".utf8)] {
      let error = await expectError(.signInRequired) {
        try await refreshed(HTTPResponse(status: 400, body: mark + body))
      }
      #expect(error?.serverCode == "invalid_grant")
    }
    // A token must be what the server sent, and is never read in this way.
    let token = text.replacing(#""error":"invalid_grant""#, with: #""access_token":"a""#)
    await expectError(.invalidResponse) {
      try await refreshed(
        HTTPResponse(status: 200, body: token.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
    }
  }

  @Test(arguments: [
    ("<html>Welcome to the hotel</html>", 200, OAuthError.Code.invalidResponse),
    (#"{"access_token":"a","#, 200, .invalidResponse), ("", 200, .invalidResponse), ("[]", 200, .invalidResponse),
    ("null", 200, .invalidResponse), (#"{"token_type":"bearer"}"#, 200, .invalidResponse),
    (#"{"access_token":7}"#, 200, .invalidResponse), (#"{"access_token":"a"}"#, 300, .invalidResponse),
    ("<html>", 400, .invalidResponse), ("<html>", 404, .invalidResponse), ("", 404, .invalidResponse),
    (#"{"error":7}"#, 400, .invalidResponse),
    (#"{"error":"invalid_grant"}"#, 200, .signInRequired), (#"{"error":"invalid_grant"}"#, 400, .signInRequired),
    (#"{"error":"invalid_grant"}"#, 401, .signInRequired), (#"{"error":"invalid_grant"}"#, 503, .serverUnavailable),
    (#"{"error":"bad_refresh_token"}"#, 200, .signInRequired),
    (#"{"error":"bad_refresh_token","error_description":7}"#, 400, .signInRequired),
    (#"{"error":"interaction_required"}"#, 400, .signInRequired),
    (#"{"error":"consent_required"}"#, 400, .signInRequired),
    (#"{"error":"login_required"}"#, 401, .signInRequired), (#"{"error":"login_required"}"#, 503, .serverUnavailable),
    ("", 400, .signInRequired), ("", 401, .signInRequired), (" \r\n", 403, .signInRequired),
    (#"{"error":"invalid_client"}"#, 401, .requestRejected), (#"{"error":"made_up"}"#, 400, .requestRejected),
    (#"{"error":"temporarily_unavailable"}"#, 400, .serverUnavailable),
    (#"{"error":"server_error"}"#, 400, .serverUnavailable), (#"{"error":"slow_down"}"#, 400, .serverUnavailable),
    ("", 408, .serverUnavailable), ("<h1>oops</h1>", 500, .serverUnavailable), ("", 429, .serverUnavailable),
  ])
  func errorIsTypedWhateverItsStatus(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    await expectError(code) { try await refreshed(Fixtures.json(body, status: status)) }
  }

  @Test func codeThatIsRefusedWithAnEmptyBodyRequiresNoSignIn() async throws {
    await expectError(.invalidResponse) { try await Fixtures.client(StubTransport(HTTPResponse(status: 400))).signIn() }
  }

  @Test(arguments: [
    (#"no\u001b[31m\nway\u202e"#, "no[31mway"),
    (String(repeating: "x", count: 1000), String(repeating: "x", count: 300)),
  ])
  func serversDescriptionIsReducedToPrintableText(_ sent: String, _ shown: String) async throws {
    let answer = Fixtures.json(#"{"error":"invalid_scope","error_description":"\#(sent)"}"#, status: 400)
    let error = try #require(await #expect(throws: OAuthError.self) { try await refreshed(answer) })
    #expect(error.serverDescription == shown)
    var text = error.description
    dump(error, to: &text)
    #expect(!text.contains("way") && !text.contains("xxx"))
  }

  @Test(arguments: [
    #"{"error":"invalid_grant","error_description":"refresh\u0007-1"}"#,
    #"{"error":"refresh-1","error_description":"x"}"#, #"{"error":"re\u009bfresh-\u202e1"}"#,
  ])
  func secretThatTheServerRepeatsIsNotShownInAnyGuise(_ body: String) async throws {
    let error = try #require(
      await #expect(throws: OAuthError.self) { try await refreshed(Fixtures.json(body, status: 400)) })
    let texts = [error.serverCode, error.serverDescription]
    #expect(texts.contains("<redacted>") && texts.allSatisfy { $0?.contains("refresh-1") != true })
  }

  @Test func codeOfASpecificationIsShownThoughASecretContainsIt() async throws {
    let stored = Fixtures.expired(ManualClock(), refreshToken: "is_invalid_grant_here")
    let error = await expectError(.signInRequired) {
      try await refreshed(Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400), from: stored)
    }
    #expect(error?.serverCode == "invalid_grant")
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
        try await client.signIn(by: "code=the-code&state=STATE")
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
      let client = try Fixtures.client(
        transport, server: Fixtures.fullServer, authentication: authentication, clock: ManualClock(skipsWaits: true)
      ) {
        $0.registration.dpop = .preferred
        $0.server.dpopSigningAlgValuesSupported = ["ES256"]
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
    let error = await #expect(throws: OAuthError.self) {
      try await client.signIn(
        ["openid"], by: "error=STATE&error_description=a%07STATE+s3cretcode&code=s3cretcode&state=STATE")
    }
    #expect(error?.serverCode == "<redacted>" && error?.serverDescription == "a<redacted> <redacted>")
  }
}
