// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import HTTPTransportCurl
import LoopbackHTTP
import OAuthCore
import OAuthUserAgents
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Real sockets: the subject is what arrives at the loopback port.
@Suite(.takesTurns) struct LoopbackUserAgentTests {
  private let clock = ManualClock()
  private let http = CurlTransport()

  /// A sign-in whose browser is the test.
  private struct Journey: Sendable {
    let pending: PendingAuthorization
    let http: CurlTransport

    /// Sends what a browser would be sent to, `STATE` standing for the right state, and returns the status.
    @discardableResult
    func visit(_ query: String, path: String = "/callback", method: HTTPMethod = .get) async throws -> Int {
      let text = pending.redirectURI.absoluteString.replacingOccurrences(of: "/callback", with: path)
      let url = try #require(URL(string: text + query.replacingOccurrences(of: "STATE", with: pending.state.reveal())))
      return try await http.send(HTTPRequest(method, url)).status
    }
  }

  /// Runs a sign-in, and `browse` once its page would be shown.
  private func signIn(
    lifetime: Duration = .seconds(600), rejected: @escaping @Sendable (LoopbackUserAgent.Rejection) -> Void = { _ in },
    _ browse: @escaping @Sendable (Journey) async throws -> Void
  ) async throws -> (answer: AuthorizationResponse, journey: Journey) {
    let client = try Fixtures.client(clock: clock)
    let journey = Mutex<Journey?>(nil)
    let browsing = Mutex<Task<Void, any Error>?>(nil)
    let agent = LoopbackUserAgent(clock: clock) { _ in
      let journey = try #require(journey.withLock { $0 })
      browsing.withLock { $0 = Task { try await browse(journey) } }
    } rejected: {
      rejected($0)
    }
    let answer = try await agent.authorize { redirectURI in
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: redirectURI, lifetime: lifetime)
      journey.withLock { $0 = Journey(pending: pending, http: http) }
      return pending
    }
    try await browsing.withLock { $0 }?.value
    return (answer, try #require(journey.withLock { $0 }))
  }

  /// Follows the one-time link that a browser is opened at.
  private static func authorizationURL(behind link: URL) async throws -> URL {
    let response = try await CurlTransport(limits: .init(redirects: 0)).send(HTTPRequest(.get, link))
    #expect(response.status == 303)
    #expect(response.fields["Cache-Control"] == "no-store")
    return try #require(response.fields["Location"].flatMap { URL(string: $0) })
  }

  /// The callback of a browser that follows the one-time link.
  private static func callback(behind link: URL, code: String = "c") async throws -> URL {
    try callback(of: await authorizationURL(behind: link), code: code)
  }

  private static func callback(of authorizationURL: URL, code: String = "c") throws -> URL {
    let query = FormEncoding.form.decode(authorizationURL.query(percentEncoded: true) ?? "")
    return try #require(URL(string: "\(query["redirect_uri"] ?? "")?code=\(code)&state=\(query["state"] ?? "")"))
  }

  private func isClosed(_ redirectURI: URL) async -> Bool {
    let error = await #expect(throws: TransportError.self) { try await http.send(HTTPRequest(.get, redirectURI)) }
    return error?.code == .unreachable
  }

  @Test func answerIsReceivedOnAnAddressByNumberAndThePortIsClosed() async throws {
    let (answer, journey) = try await signIn { journey async throws in
      #expect(try await journey.visit("?code=c&state=STATE") == 200)
    }
    #expect(answer.pending == journey.pending)
    #expect(answer.callback.query()?.contains("code=c") == true)
    #expect(["127.0.0.1", "::1"].contains(Origin(answer.pending.redirectURI)?.host))
    #expect(await isClosed(journey.pending.redirectURI))
  }

  @Test func linkForTheBrowserTellsNothingOfTheSignIn() async throws {
    let client = try Fixtures.client(clock: clock)
    let links = Mutex<[URL]>([])
    let visits = Mutex<[Int]>([])
    let agent = LoopbackUserAgent(clock: clock) { [http] link in
      links.withLock { $0.append(link) }
      let guess = try #require(URL(string: link.absoluteString + "x"))
      let statuses = [
        try await http.send(HTTPRequest(.get, guess)).status, try await http.send(HTTPRequest(.head, link)).status,
      ]
      let address = try await Self.authorizationURL(behind: link)
      visits.withLock { $0 = statuses }
      _ = try await http.send(HTTPRequest(.get, try Self.callback(of: address)))
    }
    let answer = try await agent.authorize { try await client.beginAuthorization(scopes: ["openid"], redirectURI: $0) }
    let (link, pending) = (try #require(links.withLock { $0.first }), answer.pending)
    #expect(Origin(link) == Origin(pending.redirectURI))
    #expect(link.lastPathComponent.utf8.count == 43, "32 random bytes")
    for secret in [pending.state.reveal(), try #require(pending.nonce).reveal(), pending.pkce.challenge] {
      #expect(!link.absoluteString.contains(secret))
    }
    #expect(visits.withLock { $0 } == [404, 405])
  }

  @Test func portIsTheOneThatIsRegistered() async throws {
    // A port that was free a moment ago.
    let free = try await LoopbackServer.start { _ in HTTPResponse(status: 204) }
    await free.stop()
    let client = try Fixtures.client(clock: clock)
    let agent = LoopbackUserAgent(port: free.port, clock: clock) { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) {
      try await agent.authorize { redirectURI in
        #expect(redirectURI.port == free.port)
        return try await client.beginAuthorization(scopes: [], redirectURI: redirectURI)
      }
    }
  }

  @Test func portThatIsTakenIsSaid() async throws {
    let taken = try await LoopbackServer.start { _ in HTTPResponse(status: 204) }
    let client = try Fixtures.client(clock: clock)
    let agent = LoopbackUserAgent(port: taken.port, clock: clock) { _ in }
    let error = await #expect(throws: OAuthError.self) {
      try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
    }
    #expect(error?.code == .userAgentUnavailable)
    #expect(error?.message.contains(String(taken.port)) == true)
    await taken.stop()
  }

  @Test func whatDoesNotBelongIsRefusedAndTheWaitGoesOn() async throws {
    let (answer, _) = try await signIn { journey async throws in
      #expect(try await journey.visit("?error=access_denied&state=forged") == 400)
      #expect(try await journey.visit("?error=access_denied") == 400)
      #expect(try await journey.visit("?code=evil&state=") == 400)
      #expect(try await journey.visit("") == 400)
      #expect(try await journey.visit("?code=evil&state=STATE&state=STATE") == 400)
      #expect(try await journey.visit("?code=evil&code=evil&state=STATE") == 400)
      #expect(try await journey.visit("?code=evil&state=STATE", path: "/favicon.ico") == 404)
      #expect(try await journey.visit("?code=evil&state=STATE", path: "/callback/") == 404)
      #expect(try await journey.visit("", path: "/end/guessed") == 404, "the last page is the browser's alone")
      #expect(try await journey.visit("?code=evil&state=STATE", method: .post) == 405)
      #expect(try await journey.visit("?code=evil&state=STATE", method: .head) == 405)
      #expect(try await journey.visit("?code=evil&state=STATE&pad=" + String(repeating: "x", count: 100_000)) == 414)
      #expect(try await journey.visit("?code=good&state=STATE") == 200)
    }
    #expect(answer.callback.query()?.contains("code=good") == true)
  }

  @Test(
    arguments: [
      ("?code=c", 1, "a server that does not return the state"), ("?error=access_denied&state=forged", 1, ""),
      ("", 0, "a browser that looks"), ("?utm=1", 0, "no response of a server"),
      ("?utm=%26code%3D1", 0, "no response of a server either"), ("?x=1&error=", 1, "an error without a text"),
    ])
  func responseWithoutTheStateIsReportedOnce(_ query: String, _ expected: Int, _ reason: String) async throws {
    let rejections = Mutex<[LoopbackUserAgent.Rejection]>([])
    _ = try await signIn(rejected: { rejection in rejections.withLock { $0.append(rejection) } }) {
      journey async throws in
      for _ in 0..<2 { #expect(try await journey.visit(query) == 400) }
      #expect(try await journey.visit("?code=c&state=STATE") == 200)
    }
    #expect(rejections.withLock { $0 } == Array(repeating: .otherState, count: expected), "\(reason)")
  }

  /// Sends raw bytes to the port, `STATE` standing for the right state.
  private static func exchange(_ request: String, _ journey: Journey) async throws -> String {
    let client = try await RawClient.connect(to: try #require(journey.pending.redirectURI.port))
    let authority = "127.0.0.1:\(journey.pending.redirectURI.port ?? 0)"
    await client.send(
      request.replacing("STATE", with: journey.pending.state.reveal()).replacing("HOST", with: authority))
    await client.finish()
    return try await client.readToEnd()
  }

  @Test(arguments: [
    ("error=access_denied&error_description=50%%20off", "error_description", "50% off"), ("code=a%zz", "code", "a%zz"),
    ("error=server_error&error_description=100%", "error_description", "100%"),
    ("error=x&error_description=50%25%20off", "error_description", "50% off"),
    ("code=4%2F0A&iss=%", "code", "4/0A"), ("code=a|b\"c^`{d}<e>[f]\\'", "code", "a|b\"c^`{d}<e>[f]\\'"),
    ("code=c&error_description=é", "error_description", "é"),
  ])
  func callbackIsReadAsABrowserSendsIt(_ query: String, _ name: String, _ value: String) async throws {
    let (response, _) = try await signIn { journey async throws in
      let text = try await Self.exchange(
        "GET /callback?\(query)&state=STATE HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", journey)
      #expect(text.hasPrefix("HTTP/1.1 303 "))
      let end = try #require(text.firstMatch(of: /Location: (\/end\/\S+)/)?.1)
      #expect(try await journey.visit("", path: String(end)) == 200)
    }
    let fields = FormEncoding.form.decode(response.callback.query(percentEncoded: true) ?? "")
    #expect(fields[name] == value)
  }

  @Test(arguments: [
    ("GET /callback#code=c HTTP/1.1\r\nHost: HOST\r\n\r\n", "The request target is malformed."),
    ("\u{16}\u{3}\u{1}\u{2}\n", "A line does not end in CR and LF."),
    (
      "GET /callback?code=\(String(repeating: "c", count: 40_000))&state=STATE HTTP/1.1\r\nHost: HOST\r\n\r\n",
      "The request line, the header fields or a chunk extension are too long."
    ),
    (
      "GET /callback?code=c&state=STATE HTTP/1.1\r\nHost: app.example\r\n\r\n",
      "This server accepts requests for its own loopback address only."
    ),
  ])
  func requestThatCannotBeReadIsReportedOnce(_ request: String, _ reason: String) async throws {
    let rejections = Mutex<[LoopbackUserAgent.Rejection]>([])
    _ = try await signIn(rejected: { rejection in rejections.withLock { $0.append(rejection) } }) {
      journey async throws in
      for _ in 0..<2 { #expect(try await Self.exchange(request, journey).hasPrefix("HTTP/1.1 4")) }
      #expect(try await journey.visit("?code=c&state=STATE") == 200)
    }
    #expect(rejections.withLock { $0 } == [.unreadable(reason)])
  }

  @Test func pageOnAnotherNetworkMaySendTheCallbackAndReadNothing() async throws {
    _ = try await signIn { journey async throws in
      func preflight(_ path: String, _ method: String = "GET", origin: String? = "https://login.example") async throws
        -> HTTPResponse
      {
        let url = journey.pending.redirectURI.absoluteString.replacing("/callback", with: path)
        var fields: HTTPFields = ["Access-Control-Request-Method": method]
        fields["Access-Control-Request-Private-Network"] = "true"
        fields["Origin"] = origin
        return try await journey.http.send(HTTPRequest("OPTIONS", try #require(URL(string: url)), fields: fields))
      }
      for origin in ["https://login.example", "null"] {
        let permission = try await preflight("/callback?code=c&state=x", origin: origin)
        #expect(permission.status == 204)
        #expect(permission.fields["Access-Control-Allow-Origin"] == origin)
        #expect(permission.fields["Access-Control-Allow-Private-Network"] == "true")
        #expect(permission.fields["Access-Control-Allow-Methods"] == "GET")
      }
      #expect(try await preflight("/callback", "POST").status == 405)
      #expect(try await preflight("/callback", origin: nil).status == 405)
      #expect(try await preflight("/other").status == 404)
      let callback = try #require(
        URL(string: "\(journey.pending.redirectURI)?code=c&state=\(journey.pending.state.reveal())"))
      let response = try await CurlTransport(limits: .init(redirects: 0)).send(
        HTTPRequest(.get, callback, fields: ["Origin": "https://login.example"]))
      #expect(response.status == 303 && response.fields["Access-Control-Allow-Origin"] == nil)
      let last = try #require(response.fields["Location"])
      #expect(try await preflight(last).status == 204)
      #expect(try await journey.visit("", path: last) == 200)
    }
  }

  @Test(arguments: ["?code=c&state=STATE", "?error=access_denied&state=STATE"])
  func callbackRedirectsToAPageWithoutAQuery(query: String) async throws {
    _ = try await signIn { journey async throws in
      let base = journey.pending.redirectURI
      let query = query.replacingOccurrences(of: "STATE", with: journey.pending.state.reveal())
      let single = CurlTransport(limits: .init(redirects: 0))
      // Also of a callback that is refused.
      let refused = try #require(URL(string: base.absoluteString + "?code=c&state=other"))
      let refusal = try await single.send(HTTPRequest(.get, refused))
      #expect(refusal.status == 303 && refusal.fields["Location"] == "/callback")
      let callback = try #require(URL(string: base.absoluteString + query))
      let redirect = try await single.send(HTTPRequest(.get, callback))
      #expect(redirect.status == 303)
      #expect(redirect.fields["Cache-Control"] == "no-store")
      let last = try #require(redirect.fields["Location"].flatMap { URL(string: $0, relativeTo: base)?.absoluteURL })
      #expect(Origin(last) == Origin(base) && last.query() == nil && last.path() != base.path())
      let page = try await single.send(HTTPRequest(.get, last))
      #expect(page.status == 200)
      #expect(String(decoding: page.body, as: UTF8.self).contains("close this window"))
    }
  }

  @Test func browserThatDoesNotFollowIsNotWaitedForLong() async throws {
    let (answer, journey) = try await signIn { journey async throws in
      let single = CurlTransport(limits: .init(redirects: 0))
      let query = "?code=c&state=" + journey.pending.state.reveal()
      _ = try await single.send(
        HTTPRequest(.get, try #require(URL(string: journey.pending.redirectURI.absoluteString + query))))
      while !"\(clock)".contains("for 5.0 s") { await Task.yield() }
      clock.advance(by: .seconds(5))
    }
    #expect(answer.callback.query()?.contains("code=c") == true)
    #expect(await isClosed(journey.pending.redirectURI))
  }

  @Test func slowAndBrokenRequestsDoNotStandInTheWay() async throws {
    let (answer, _) = try await signIn { journey async throws in
      let port = try #require(journey.pending.redirectURI.port)
      // Connections that send half a request, nothing, or no HTTP, all of them left open.
      let slow = try await RawClient.connect(to: port)
      await slow.send("GET /callback?code=evil&state=")
      let silent = try await RawClient.connect(to: port)
      let broken = try await RawClient.connect(to: port)
      await broken.send("\u{16}\u{3}\u{1} no HTTP\r\n\r\n")
      let status = try await journey.visit("?code=good&state=STATE")
      #expect(status == 200)
      // The receiver closes them all when it is done.
      _ = try await slow.readToEnd()
      _ = try await silent.readToEnd()
      let refusal = try await broken.readToEnd()
      #expect(refusal.hasPrefix("HTTP/1.1 400 "))
    }
    #expect(answer.callback.query()?.contains("code=good") == true)
  }

  @Test func deadlineEndsTheWaitAndClosesThePort() async throws {
    let redirect = Mutex<URL?>(nil)
    let error = await #expect(throws: OAuthError.self) {
      try await signIn(lifetime: .seconds(60)) { [clock] journey in
        redirect.withLock { $0 = journey.pending.redirectURI }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
      }
    }
    #expect(error?.code == .signInTimedOut)
    #expect(await isClosed(try #require(redirect.withLock { $0 })))
  }

  @Test func cancellationEndsTheWaitAndClosesThePort() async throws {
    let redirect = Mutex<URL?>(nil)
    let waiting = Task {
      try await signIn { journey in redirect.withLock { $0 = journey.pending.redirectURI } }
    }
    await clock.waitForSleepers()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(await isClosed(try #require(redirect.withLock { $0 })))
  }

  @Test func browserThatCannotBeShownClosesThePort() async throws {
    let client = try Fixtures.client(clock: clock)
    let redirect = Mutex<URL?>(nil)
    let agent = LoopbackUserAgent(clock: clock) { _ in throw OAuthError(.userAgentUnavailable, "No browser.") }
    let error = await #expect(throws: OAuthError.self) {
      try await agent.authorize { redirectURI in
        redirect.withLock { $0 = redirectURI }
        return try await client.beginAuthorization(scopes: [], redirectURI: redirectURI)
      }
    }
    #expect(error?.code == .userAgentUnavailable)
    #expect(await isClosed(try #require(redirect.withLock { $0 })))
  }

  @Test(arguments: ["/", "/my callback", "callback", ""])
  func everyPathIsMatchedAsItIsWrittenInTheRedirectAddress(_ path: String) async throws {
    let client = try Fixtures.client(clock: clock)
    let visit = Mutex<Task<Int, any Error>?>(nil)
    let agent = LoopbackUserAgent(path: path, clock: clock) { [http] link in
      let callback = try await Self.callback(behind: link)
      visit.withLock { $0 = Task { try await http.send(HTTPRequest(.get, callback)).status } }
    }
    _ = try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
    #expect(try await visit.withLock { $0 }?.value == 200)
  }

  @Test func answerThatComesBeforeTheWaitCountsAndIsTheOnlyOne() async throws {
    let client = try Fixtures.client(clock: clock)
    let statuses = Mutex<[Int]>([])
    let agent = LoopbackUserAgent(clock: clock) { [http] link in
      let address = try await Self.authorizationURL(behind: link)
      for code in ["first", "second"] {
        let status = try await http.send(HTTPRequest(.get, try Self.callback(of: address, code: code))).status
        statuses.withLock { $0.append(status) }
      }
    }
    let answer = try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
    #expect(statuses.withLock { $0 } == [200, 400])
    #expect(answer.callback.query()?.contains("code=first") == true)
  }
}
