// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

@Suite(.takesTurns) struct WebSiteTests {
  private typealias Send = (HTTPMethod, _ path: String, _ cookie: String?, _ form: String) async throws -> HTTPResponse

  /// Runs `body` with a site without a listener.
  ///
  /// Requests are passed to the site directly.
  private func withSite(_ body: (WebSite, DemoEnvironment, Send) async throws -> Void) async throws {
    try await DemoEnvironment.with { demo in
      let site = WebSite(demo: demo)
      await site.start(at: try #require(URL(string: "http://127.0.0.1:4321")))
      try await body(site, demo) { method, path, cookie, form in
        var request = HTTPRequest(
          method, try #require(URL(string: "http://127.0.0.1:4321\(path)")), body: Array(form.utf8))
        request.fields["Cookie"] = cookie
        return await site.respond(to: request)
      }
    }
  }

  private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

  @Test func entranceAdmitsOneBrowserOnce() async throws {
    try await withSite { site, _, send in
      let entrance = await site.entrance.path()
      #expect(try await send(.get, "/", nil, "").status == 403)
      #expect(try await send(.get, "/open/guess", nil, "").status == 403)
      let opened = try await send(.get, entrance, nil, "")
      let cookie = try #require(opened.fields["Set-Cookie"])
      #expect(cookie.hasPrefix("almanac-4321="), "a name that another port's server does not use")
      #expect(cookie.contains("; HttpOnly; SameSite=Lax"))
      let session = try #require(cookie.split(separator: ";").first.map(String.init))
      #expect(try await send(.get, entrance, nil, "").status == 403, "the key is spent")

      #expect(try await send(.get, "/", session, "").status == 200)
      #expect(try await send(.get, "/", "session=x; \(session); other=y", "").status == 200)
      #expect(try await send(.get, "/", session + "x", "").status == 403)
      #expect(try await send(.get, "/", "x" + session, "").status == 403)
      #expect(try await send(.get, "/", "almanac-4321=", "").status == 403)
      let value = session.dropFirst("almanac-4321=".count)
      #expect(try await send(.get, "/", "session=\(value)", "").status == 403)
    }
  }

  @Test(arguments: ["/grant", "/revoke", "/hour", "/forget", "/relaunch"])
  func everyChangeNeedsThePagesKey(_ path: String) async throws {
    try await withSite { site, _, send in
      let session = try await session(site, send)
      let page = text(try await send(.get, "/", session, ""))
      let key = try #require(page.firstMatch(of: /name="key" value="([^"]+)"/)?.1)
      #expect(try await send(.post, path, session, "").status == 403)
      #expect(try await send(.post, path, session, "key=").status == 403)
      #expect(try await send(.post, path, session, "key=\(key)x").status == 403)
      #expect(try await send(.post, path, nil, "key=\(key)").status == 403)
      #expect(try await send(.get, "\(path)?key=\(key)", session, "").status == 404)
      #expect(try await send(.post, path, session, "key=\(key)").status == 303)
    }
  }

  /// Opens the entrance, and returns the session's cookie.
  private func session(_ site: WebSite, _ send: Send) async throws -> String {
    let opened = try await send(.get, await site.entrance.path(), nil, "")
    let cookie = try #require(opened.fields["Set-Cookie"])
    return String(cookie.prefix { $0 != ";" })
  }

  @Test func everyPageIsCachedAndFramedNowhereAndRunsNoScript() async throws {
    try await withSite { site, _, send in
      let session = try await session(site, send)
      for (path, cookie) in [("/", session), ("/", nil), ("/nowhere", session)] {
        let fields = try await send(.get, path, cookie, "").fields
        #expect(fields["Cache-Control"] == "no-store")
        #expect(fields["Referrer-Policy"] == "no-referrer")
        let policy = (fields["Content-Security-Policy"] ?? "").split(separator: "; ")
        for directive in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
          #expect(policy.contains { $0 == directive }, "\(directive)")
        }
        #expect(!policy.contains { $0.hasPrefix("script-src") })
        // Forms and pictures may use the page itself and, if there is one, the authorization server.
        for name in ["form-action", "img-src"] {
          let sources = try #require(policy.first { $0.hasPrefix(name + " ") }).split(separator: " ").dropFirst()
          #expect(sources.allSatisfy { ["'self'", "'none'"].contains($0) || $0.hasPrefix("http://127.0.0.1:") })
        }
      }
    }
  }

  @Test func callbackWithoutTheSessionsCookieEndsNoSignIn() async throws {
    try await withSite { site, world, send in
      let session = try await session(site, send)
      let page = text(try await send(.get, "/", session, ""))
      let key = try #require(page.firstMatch(of: /name="key" value="([^"]+)"/)?.1)
      let grant = try await send(.post, "/grant", session, "key=\(key)")
      let authorizationURL = try #require(grant.fields["Location"].flatMap { URL(string: $0) })
      let callback = try world.sandbox.approve(authorizationURL)
      let path = "/callback?" + (callback.query(percentEncoded: true) ?? "")

      #expect(try await send(.get, path, nil, "").status == 403)
      #expect(text(try await send(.get, "/", session, "")).contains("<title>Signed out"))
      // The sign-in is still in progress for the browser that began it.
      #expect(try await send(.get, path, session, "").status == 303)
      #expect(text(try await send(.get, "/", session, "")).contains("<title>Access is granted."))
    }
  }

  @Test func calendarsAreDistinguishedByMoreThanTheirColour() async throws {
    try await withSite { site, demo, send in
      let session = try await session(site, send)
      try await demo.google.authorize()
      let page = text(try await send(.get, "/", session, ""))
      #expect(page.contains(/<time datetime="[-0-9]+">[A-Z][a-z]+day, \d+ [A-Z][a-z]+ \d+<\/time>/))
      #expect(page.contains("Times are in the zone Europe/Madrid.") && page.contains(#"<html lang="en">"#))
      #expect(page.contains("class=\"skip\"") && page.contains(#"scope="row">"#))
      #expect(page.contains(#"<caption>14 calendars, each in its own colours</caption>"#))
      #expect(page.contains("Owner (primary)") && page.contains("May see events"))
      #expect(page.contains(/class="dot painted c\d+" aria-hidden="true"><\/span><span class="time">/))
      let events = page.matches(of: /<span dir="auto">[^<]+<\/span> <span class="faint" dir="auto">[^<]+<\/span>/)
      #expect(!events.isEmpty && events.count == page.matches(of: /class="dot painted/).count)
      #expect(!page.contains(#"id="revoke" class="primary""#))
    }
  }

  @Test(arguments: [
    ("1970-01-01", "Thursday, 1 January 1970"), ("1969-12-31", "Wednesday, 31 December 1969"),
    ("2026-11-23", "Monday, 23 November 2026"), ("2000-02-29", "Tuesday, 29 February 2000"),
  ])
  func dateIsWrittenWithItsWeekday(_ date: String, _ words: String) throws {
    #expect(try CivilDate(rfc3339: date).inWords == words)
  }

  @Test func errorWhileReadingDoesNotSignTheUserOut() async throws {
    try await withSite { site, demo, send in
      let session = try await session(site, send)
      try await demo.google.authorize()
      // The fault: other users can read the token's file until that is fixed.
      let record = try #require(
        FileManager.default.contentsOfDirectory(atPath: demo.storage.path).first { $0.hasSuffix(".json") })
      let file = demo.storage.path + "/" + record
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      let faulty = text(try await send(.get, "/", session, ""))
      #expect(faulty.contains(#"class="status error""#))
      #expect(faulty.contains(#"id="revoke""#))
      #expect(!faulty.contains(#"id="grant""#))

      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let healthy = text(try await send(.get, "/", session, ""))
      #expect(!healthy.contains(#"class="status error""#), "the fault is over")
      #expect(healthy.contains("<caption>"))
    }
  }
}
