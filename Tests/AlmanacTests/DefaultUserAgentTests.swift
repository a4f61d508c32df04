// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Almanac
  import AlmanacTesting
  import Foundation
  import HTTPTransport
  import OAuthCore
  import TestSupport
  import Testing

  /// The output of the default user agent on standard error, in a process of its own.
  @Suite(.takesTurns) struct DefaultUserAgentTests {
    private func expectPrinted(_ invitation: String, _ result: ExitTest.Result?) throws {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("\(invitation) this URL in a browser on this computer:\nhttps://login.example/authorize?"))
      #expect(text.hasSuffix("\n"))
    }

    @Test func userIsShownTheURLWhereNoBrowserIsFound() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try await signIn(in: "/nonexistent/browser")
      }
      try expectPrinted("Open", result)
    }

    @Test func userIsShownTheURLBesideTheBrowser() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try await signIn(in: "/bin/true")
      }
      try expectPrinted("If no browser shows the sign-in page, open", result)
    }
  }

  /// Begins a sign-in whose time is over at once.
  private func signIn(in browser: String) async throws {
    unsafe setenv("BROWSER", browser, 1)  // the strings live through the call
    let client = try OAuthClient(
      server: ServerMetadata(
        issuer: "https://login.example", authorizationEndpoint: URL(literal: "https://login.example/authorize"),
        tokenEndpoint: URL(literal: "https://login.example/token")),
      registration: ClientRegistration(clientID: "app"), transport: StubTransport())
    let agent = GoogleAccount.defaultUserAgent
    let error = await #expect(throws: OAuthError.self) {
      try await agent.authorize {
        try await client.beginAuthorization(scopes: [], redirectURI: $0, lifetime: .zero)
      }
    }
    #expect(error?.code == .signInTimedOut)
  }
#endif
