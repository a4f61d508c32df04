// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

@Suite struct AuthorizationTests {
  private let answer = Fixtures.json(#"{"access_token":"a","token_type":"bearer","expires_in":3600}"#)

  @Test func requestCarriesPKCEAndAFreshStateEveryTime() async throws {
    let client = try Fixtures.client(StubTransport())
    let first = try await client.begin(["openid", "a b"])
    let second = try await client.begin(["openid"])
    let query = first.query
    #expect(
      query == [
        "response_type": "code", "client_id": "app", "redirect_uri": Fixtures.redirect.absoluteString,
        "scope": "openid a b", "state": first.state.reveal(), "code_challenge": first.pkce.challenge,
        "code_challenge_method": "S256", "nonce": first.nonce?.reveal() ?? "",
      ])
    #expect(first.state != second.state)
    #expect(first.pkce != second.pkce)
    #expect(first.nonce != second.nonce)
    let bare = try await client.begin()
    #expect(bare.authorizationURL.query()?.contains("scope=") == false)
  }

  @Test func verifierIsOf32RandomBytes() async throws {
    let verifiers = (0..<100).map { _ in PKCE().verifier.reveal() }
    #expect(Set(verifiers).count == verifiers.count)
    // RFC 7636 § 4.1: 32 bytes in Base64URL, the fewest characters allowed.
    #expect(verifiers.allSatisfy { $0.utf8.count == 43 })
    let pending = try await Fixtures.client(StubTransport()).begin(["openid"])
    #expect([pending.state, try #require(pending.nonce)].allSatisfy { $0.reveal().utf8.count == 43 })
  }

  // RFC 7636 Appendix B.
  @Test func challengeMatchesTheSpecificationsExample() {
    let pkce = PKCE(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func furtherParametersCannotReplaceTheStandardOnes() async throws {
    let client = try Fixtures.client(StubTransport())
    for name in ["state", "code_challenge", "redirect_uri", "nonce", "dpop_jkt"] {
      await expectError(.invalidConfiguration, "\(name) is set by the request itself. Remove it") {
        try await client.begin(parameters: [name: "x"])
      }
    }
  }

  @Test(arguments: ["http://app.example/cb", "https://app.example/cb#f", "callback"])
  func redirectAddressThatCannotBeSafeIsRefused(_ address: String) async throws {
    let client = try Fixtures.client(StubTransport())
    await expectError(.invalidConfiguration) {
      try await client.beginAuthorization(scopes: [], redirectURI: #require(URL(string: address)))
    }
  }

  @Test func codeIsExchangedWithItsVerifier() async throws {
    let transport = StubTransport(answer)
    let client = try Fixtures.client(transport)
    let pending = try await client.begin(["read"])
    let token = try await client.completeAuthorization(
      pending, callback: try Fixtures.callback(pending, "code=c&state=STATE"))
    #expect(token.accessToken == Secret("a"))
    #expect(token.scopes == ["read"])
    let request = try #require(transport.requests.first)
    #expect(request.fields.map(\.name).sorted() == ["Accept", "Content-Type"])
    #expect(request.fields["Accept"] == "application/json")
    #expect(
      request.form == [
        "grant_type": "authorization_code", "code": "c", "redirect_uri": pending.redirectURI.absoluteString,
        "code_verifier": pending.pkce.verifier.reveal(), "client_id": "app",
      ])
  }

  @Test(arguments: [
    ("code=c", OAuthError.Code.stateMismatch, "no state at all"),
    ("code=c&state=other", .stateMismatch, "the state of another sign-in"),
    ("error=access_denied&state=other", .stateMismatch, "an error is not believed before its state"),
    ("error=access_denied", .stateMismatch, "an error without state"),
    ("code=c&state=STATE&state=STATE", .invalidCallback, "a repeated parameter, though equal"),
    ("code=c&code=d&state=STATE", .invalidCallback, "two codes"),
    ("state=STATE", .invalidCallback, "neither code nor error"),
    ("code=&state=STATE", .invalidCallback, "an empty code"),
    ("code=c&state=STATE&iss=https://evil.example", .issuerMismatch, "another issuer"),
    ("error=access_denied&state=STATE&iss=https://evil.example", .issuerMismatch, "an error of another issuer"),
    ("error=access_denied&state=STATE", .accessDenied, "the user said no"),
    ("error=user_cancelled_login&state=STATE", .accessDenied, "the user said no at LinkedIn"),
    ("error=user_cancelled_authorize&state=STATE", .accessDenied, "the user said no at Apple"),
    ("error=invalid_scope&state=STATE", .requestRejected, "the server said no"),
    ("error=temporarily_unavailable&state=STATE", .serverUnavailable, "the server cannot now"),
  ])
  func badCallbackIsRefusedAndNothingIsSent(_ query: String, _ code: OAuthError.Code, _ reason: String) async throws {
    let transport = StubTransport(answer)
    let client = try Fixtures.client(transport)
    await expectError(code) { try await client.signIn(["read"], by: query) }
    #expect(transport.requests.isEmpty, "\(reason)")
  }

  @Test func issuerIsRequiredWhereTheServerDeclaresIt() async throws {
    let client = try Fixtures.client(StubTransport(answer), server: Fixtures.server(issRequired: true))
    for query in ["code=c&state=STATE", "error=access_denied%1B&state=STATE"] {
      let error = await expectError(.issuerMismatch) { try await client.signIn(by: query) }
      #expect(error?.serverCode == (query.hasPrefix("error") ? "access_denied" : nil))
    }
    try await client.signIn(by: "code=c&state=STATE&iss=https%3A%2F%2Flogin.example")
  }

  @Test func pendingAuthorizationCountsOnce() async throws {
    let client = try Fixtures.client(StubTransport(answer, answer))
    let pending = try await client.begin()
    let callback = try Fixtures.callback(pending, "code=c&state=STATE")
    _ = try await client.completeAuthorization(pending, callback: callback)
    let copy = client
    await expectError(.authorizationUsed) { try await copy.completeAuthorization(pending, callback: callback) }
  }

  @Test(
    "A sign-in that was refused, or answered by another server, cannot be completed again",
    arguments: [
      ("error=access_denied&state=STATE", OAuthError.Code.accessDenied),
      ("code=c&state=STATE&iss=https://evil.example", .issuerMismatch), ("state=STATE", .invalidCallback),
    ])
  func refusedAuthorizationCountsToo(_ refusal: String, _ code: OAuthError.Code) async throws {
    let transport = StubTransport(answer)
    let client = try Fixtures.client(transport)
    let pending = try await client.begin()
    await expectError(code) {
      try await client.completeAuthorization(pending, callback: try Fixtures.callback(pending, refusal))
    }
    await expectError(.authorizationUsed) {
      try await client.completeAuthorization(
        pending, callback: try Fixtures.callback(pending, "code=c&state=STATE"))
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func completedAuthorizationsAreForgottenAfterTheirDeadlines() async throws {
    let clock = ManualClock()
    let answer = answer
    let client = try Fixtures.client(StubTransport { _ in answer }, clock: clock)
    for number in 0..<100 {
      let pending = try await client.beginAuthorization(
        scopes: [], redirectURI: Fixtures.redirect, lifetime: .seconds(60 * (100 - number)))
      let callback = try Fixtures.callback(pending, "code=c&state=STATE")
      _ = try await client.completeAuthorization(pending, callback: callback)
      await #expect(throws: OAuthError.self) {
        try await client.completeAuthorization(pending, callback: callback)
      }
    }
    #expect(client.completed.count == 100)
    clock.advance(by: .seconds(60 * 50 + 1))
    try await client.signIn()
    #expect(client.completed.count == 51)
  }

  @Test(arguments: [(60, nil), (61, .signInTimedOut)] as [(Int, OAuthError.Code?)])
  func pendingAuthorizationExpires(_ seconds: Int, _ code: OAuthError.Code?) async throws {
    let clock = ManualClock()
    let client = try Fixtures.client(StubTransport(answer), clock: clock)
    let pending = try await client.beginAuthorization(
      scopes: [], redirectURI: Fixtures.redirect, lifetime: .seconds(60))
    clock.advance(by: .seconds(seconds))
    let callback = try Fixtures.callback(pending, "code=c&state=STATE")
    guard let code else {
      _ = try await client.completeAuthorization(pending, callback: callback)
      return
    }
    await expectError(code) { try await client.completeAuthorization(pending, callback: callback) }
  }

  /// Callbacks as browsers and servers deliver them; `STATE` stands for the state.
  ///
  /// The code is `nil` if the callback is rejected.
  static let delivered: [(redirectURI: String, callback: String, code: String?)] = [
    // RFC 9700 § 4.1.3: fragments without parameters.
    ("org.example.app:/cb", "org.example.app:/cb?code=c&state=STATE#", "c"),
    ("org.example.app:/cb", "org.example.app:/cb?code=c&state=STATE#_", "c"),
    ("org.example.app:/cb", "ORG.example.app:/cb?code=c&state=STATE#_=_", "c"),
    ("https://app.example/cb", "https://app.example/cb?code=c&state=STATE#/sign-in", "c"),
    ("https://app.example/cb", "https://app.example/cb?code=c&state=STATE#a#b%", "c"),
    ("https://app.example/cb", "https://app.example/cb?code=c&state=STATE#code=", "c"),
    ("https://app.example/cb", "https://app.example/cb#code=c&state=STATE", nil),
    ("https://app.example/cb", "https://app.example/cb?code=c&state=STATE#access_token=t", nil),
    ("https://app.example/cb", "https://app.example/cb?code=c&state=STATE#_=_&iss=x", nil),
    ("https://app.example/cb", "https://app.example/cb?code=c&state=STATE#_=_x", nil),
    ("org.example.app:/cb", "org.example.app:/cb?code=c&state=STATE#%69d_token=t", nil),
    // RFC 3986 § 6.2.3: the default port, and the path of the root.
    ("https://app.example/cb", "https://App.Example:443/cb?code=c&state=STATE", "c"),
    ("https://app.example:443/cb", "https://app.example/cb?code=c&state=STATE", "c"),
    ("https://app.example", "https://app.example:443/?code=c&state=STATE", "c"),
    ("http://127.0.0.1/cb", "http://127.0.0.1:80/cb?code=c&state=STATE", "c"),
    ("http://[::1]:8080/cb", "http://[::1]:8080/cb?code=c&state=STATE", "c"),
    ("https://app.example/cb", "https://app.example:80/cb?code=c&state=STATE", nil),
    ("http://127.0.0.1:4711/cb", "http://127.0.0.1:4712/cb?code=c&state=STATE", nil),
    ("http://127.0.0.1:4711/cb", "http://127.0.0.1:4711/other?code=c&state=STATE", nil),
    ("http://127.0.0.1:4711/cb", "https://127.0.0.1:4711/cb?code=c&state=STATE", nil),
    ("http://127.0.0.1:4711/cb", "http://[::1]:4711/cb?code=c&state=STATE", nil),
    ("https://app.example/cb", "https://app.example:8443/cb?code=c&state=STATE", nil),
    ("org.example.app://cb", "org.example.app://cb:443?code=c&state=STATE", nil),
    ("https://app.example/cb", "https://user@app.example/cb?code=c&state=STATE", nil),
    // Bytes that RFC 3986 forbids.
    ("https://app.example/cb", "https://app.example/cb?code=a%zz&state=STATE", "a%zz"),
    ("https://app.example/cb", "https://app.example/cb?code=4%2F0A&state=STATE&error_description=100%", "4/0A"),
    ("org.example.app:/cb", "org.example.app:/cb?code=a|b\"c^d`{e}<f>[g]\\&state=STATE", "a|b\"c^d`{e}<f>[g]\\"),
    ("https://app.example/cb", "https://app.example/cb?state=STATE&code=é%C3%A9%", "éé%"),
  ]

  @Test(arguments: delivered) func callbackIsReadAsItIsDelivered(
    _ redirectURI: String, _ callback: String, _ code: String?
  ) async throws {
    let transport = StubTransport(answer)
    let client = try Fixtures.client(transport)
    let pending = try await client.beginAuthorization(scopes: [], redirectURI: #require(URL(string: redirectURI)))
    let url = try #require(URL(callback: callback.replacing("STATE", with: pending.state.reveal())))
    #expect(pending.matches(url) == (code != nil))
    if code == nil {
      await expectError(.invalidCallback) { try await client.completeAuthorization(pending, callback: url) }
    } else {
      _ = try await client.completeAuthorization(pending, callback: url)
    }
    #expect(transport.requests.first?.form["code"] == code)
  }

  @Test(arguments: ["", "code", "/callback?code=c", "127.0.0.1", "4/0AbC"]) func textWithoutASchemeIsNoCallback(
    _ text: String
  ) { #expect(URL(callback: text) == nil) }

  @Test func idTokenNobodyAskedForIsNotKept() async throws {
    let client = try Fixtures.client(StubTransport(Fixtures.json(#"{"access_token":"a","id_token":"unasked"}"#)))
    let token = try await client.signIn(["read"])
    #expect(token.idToken == nil)
  }

  @Test func everyEndpointMustBeSecure() async {
    let plain = URL(literal: "http://login.example/x")
    let endpoints: [WritableKeyPath<ServerMetadata, URL?>] = [
      \.authorizationEndpoint, \.revocationEndpoint, \.userinfoEndpoint, \.jwksURI, \.deviceAuthorizationEndpoint,
    ]
    var servers = endpoints.map { endpoint in
      var server = Fixtures.server()
      server[keyPath: endpoint] = plain
      return server
    }
    servers.append(ServerMetadata(issuer: "https://login.example", tokenEndpoint: plain))
    for server in servers {
      await expectError(.invalidConfiguration, "http://login.example/x, must be an https URL") { try server.validate() }
    }
  }
}
