import Almanac
import AlmanacCLI
import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct WebSiteTests {
  /// A site at a port where nobody listens: the requests are handed to it.
  private func withSite(
    _ body: (
      WebSite, DemoWorld, _ send: (HTTPMethod, String, _ cookie: String?, _ form: String) async throws -> HTTPResponse
    )
      async throws -> Void
  ) async throws {
    try await DemoWorld.with { world in
      let site = WebSite(world: world)
      await site.start(at: try #require(URL(string: "http://127.0.0.1:4321")))
      try await body(site, world) { method, path, cookie, form in
        var request = HTTPRequest(
          method, try #require(URL(string: "http://127.0.0.1:4321\(path)")), body: Array(form.utf8))
        request.fields["Cookie"] = cookie
        return await site.answer(request)
      }
    }
  }

  private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

  @Test func oneBrowserIsLetInByTheEntranceOnce() async throws {
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

  @Test(arguments: ["/grant", "/revoke", "/hour", "/forget"])
  func whatChangesSomethingNeedsThePagesKey(_ path: String) async throws {
    try await withSite { site, _, send in
      let opened = try await send(.get, await site.entrance.path(), nil, "")
      let session = opened.fields["Set-Cookie"]?.split(separator: ";").first.map(String.init)
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

  @Test func faultWhileReadingDoesNotSignThePersonOut() async throws {
    try await withSite { site, world, send in
      let opened = try await send(.get, await site.entrance.path(), nil, "")
      let session = opened.fields["Set-Cookie"]?.split(separator: ";").first.map(String.init)
      try await world.google.authorize()
      // The fault: the token's file is open to others, until that is mended.
      let file = world.storage.directory + "/demo.json"
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
