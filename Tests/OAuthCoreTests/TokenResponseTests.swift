import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
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
    ("3600", 3600), (#""3600""#, 3600), ("3599.5", 3599.5), ("0", 0), ("-5", 0), ("1e300", 315_360_000),
    (#""99999999999999999999""#, 315_360_000),
  ])
  func lifetimeIsReadInEveryFormAndClamped(_ text: String, _ seconds: Double) async throws {
    let clock = ManualClock()
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a","expires_in":\#(text)}"#), clock: clock)
    #expect(token.expiresAt == clock.now + .seconds(seconds))
  }

  @Test(arguments: [#""soon""#, "null", "[]", "true"])
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

  @Test func emptyRefreshTokenIsNone() async throws {
    let token = try await refreshed(Fixtures.json(#"{"access_token":"a","refresh_token":""}"#))
    #expect(token.refreshToken == Secret("refresh-1"))
  }

  @Test(arguments: [
    ("<html>Welcome to the hotel</html>", 200), (#"{"access_token":"a","#, 200), ("", 200), ("[]", 200), ("null", 200),
    (#"{"token_type":"bearer"}"#, 200), (#"{"access_token":""}"#, 200), (#"{"access_token":7}"#, 200),
    (#"{"access_token":"a","token_type":"mac"}"#, 200), ("<html>", 404), ("", 400), (#"{"error":7}"#, 400),
  ])
  func answerThatIsNoTokenIsATypedError(_ body: String, _ status: Int) async throws {
    let error = await #expect(throws: OAuthError.self) { try await refreshed(Fixtures.json(body, status: status)) }
    #expect(error?.code == .invalidResponse)
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
    ("<h1>oops</h1>", 500, .serverUnavailable),
    ("", 429, .serverUnavailable),
  ])
  func errorIsTypedWhateverItsStatus(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    let error = await #expect(throws: OAuthError.self) { try await refreshed(Fixtures.json(body, status: status)) }
    #expect(error?.code == code)
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

  @Test func secretThatTheServerSaysBackIsNotShown() async throws {
    let answer = Fixtures.json(
      #"{"error":"invalid_grant","error_description":"Invalid refresh token: refresh-1!"}"#, status: 400)
    let error = await #expect(throws: OAuthError.self) { try await refreshed(answer) }
    #expect(error?.serverDescription == "Invalid refresh token: <redacted>!")
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

  @Test func repeatedCredentialsOfTheClientAreNotShown() async throws {
    let basic = Data("app:s3/cret".utf8).base64EncodedString()
    let body = #"{"error":"invalid_client","error_description":"s3/cret s3%2Fcret \#(basic)"}"#
    let client = try Fixtures.client(
      StubTransport(Fixtures.json(body, status: 401)), authentication: .secretBasicUnencoded(Secret("s3/cret")))
    let error = await #expect(throws: OAuthError.self) { try await client.refresh(Fixtures.expired(ManualClock())) }
    #expect(error?.serverDescription == "<redacted> <redacted> <redacted>")
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

  @Test func anotherIssuersTokensAreNeverSent() async throws {
    let clock = ManualClock()
    let transport = StubTransport()
    var stored = Fixtures.expired(clock)
    stored.issuer = "https://other.example"
    let client = try Fixtures.client(transport, clock: clock)
    let refreshing = await #expect(throws: OAuthError.self) { try await client.refresh(stored) }
    #expect(refreshing?.code == .issuerMismatch)
    let revoking = await #expect(throws: OAuthError.self) { try await client.revoke(stored) }
    #expect(revoking?.code == .issuerMismatch)
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [
    (ClientRegistration.Authentication.none, String?.none, ["client_id"]),
    (.secretPost(Secret("s+/=&%:é")), nil, ["client_id", "client_secret"]),
    (.secretBasic(Secret("s+/=&%:é")), "app:s%2B%2F%3D%26%25%3A%C3%A9", []),
    (.secretBasicUnencoded(Secret("s+/=&%:é")), "app:s+/=&%:é", []),
  ])
  func clientAuthenticatesInItsRegisteredWay(
    _ authentication: ClientRegistration.Authentication, _ basic: String?, _ names: [String]
  ) async throws {
    let clock = ManualClock()
    let transport = StubTransport(Fixtures.json(#"{"access_token":"a"}"#))
    let client = try Fixtures.client(transport, authentication: authentication, clock: clock)
    _ = try await client.refresh(Fixtures.expired(clock))
    let request = try #require(transport.requests.first)
    #expect(request.form.map(\.name).filter { $0.hasPrefix("client") } == names)
    #expect(request.form["client_secret"] ?? "s+/=&%:é" == "s+/=&%:é")
    #expect(request.fields["Authorization"] == basic.map { "Basic " + Data($0.utf8).base64EncodedString() })
  }

  @Test func revocationSendsTheRefreshTokenAndToleratesAnUnknownOne() async throws {
    let clock = ManualClock()
    let transport = StubTransport(
      HTTPResponse(status: 200), Fixtures.json(#"{"error":"invalid_token"}"#, status: 400),
      HTTPResponse(status: 503))
    let client = try Fixtures.client(transport, clock: clock)
    try await client.revoke(Fixtures.expired(clock))
    try await client.revoke(Fixtures.expired(clock, refreshToken: nil))
    let error = await #expect(throws: OAuthError.self) { try await client.revoke(Fixtures.expired(clock)) }
    #expect(error?.code == .serverUnavailable)
    #expect(transport.requests.map { $0.form["token"] } == ["refresh-1", "access-1", "refresh-1"])
    #expect(
      transport.requests.map { $0.form["token_type_hint"] } == ["refresh_token", "access_token", "refresh_token"])
  }
}
