// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OAuthUserAgents
import Synchronization
import TestSupport
import Testing
import TokenStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The link that opens the browser can be read in the process table; another user may be faster than the browser.
@Suite(.takesTurns) struct OneTimeLinkTests {
  private let clock = ManualClock()
  private let http = CurlTransport(limits: .init(redirects: 0))

  /// Runs a sign-in, and `browse` with its link when the browser would be opened.
  private func signIn(
    handoff: LoopbackUserAgent.Handoff = .link, allowsOtherUsers: Bool = false,
    _ browse: @escaping @Sendable (URL) async throws -> Void
  ) async throws -> AuthorizationResponse {
    let client = try Fixtures.client(clock: clock)
    let agent = LoopbackUserAgent(clock: clock, handoff: handoff, allowsOtherUsers: allowsOtherUsers, show: browse)
    return try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
  }

  private func get(_ url: URL, _ fields: HTTPFields = [:]) async throws -> HTTPResponse {
    try await http.send(HTTPRequest(.get, url, fields: fields))
  }

  /// The callback of a user who is sent to an authorization URL and allows access.
  private func callback(of authorizationURL: String) throws -> URL {
    let query = FormEncoding.form.decode(URL(string: authorizationURL)?.query(percentEncoded: true) ?? "")
    return try #require(URL(string: "\(query["redirect_uri"] ?? "")?code=c&state=\(query["state"] ?? "")"))
  }

  /// Brings a callback and goes to the page that it redirects to.
  private func bring(_ callback: URL) async throws {
    #expect(try await CurlTransport().send(HTTPRequest(.get, callback)).status == 200)
  }

  @Test func secondRequestEndsTheSignIn() async throws {
    let statuses = Mutex<[Int]>([])
    let error = await #expect(throws: OAuthError.self) {
      try await signIn { link in
        for _ in 0..<2 {
          let status = try await get(link).status
          statuses.withLock { $0.append(status) }
        }
      }
    }
    #expect(error?.code == .linkReused)
    #expect(statuses.withLock { $0 } == [303, 410])
  }

  /// The first requester signs in, the browser comes second: no code may be exchanged.
  @Test func secondRequestAfterTheCallbackEndsTheSignIn() async throws {
    let error = await #expect(throws: OAuthError.self) {
      try await signIn { link in
        let location = try #require(try await get(link).fields["Location"])
        #expect(try await get(try callback(of: location)).status == 303)
        #expect(try await get(link).status == 410)
      }
    }
    #expect(error?.code == .linkReused)
  }

  @Test(
    arguments: [
      ["Sec-Purpose": "prefetch"], ["Sec-Purpose": "prefetch;prerender"], ["Purpose": "prefetch"],
      ["X-Moz": "prefetch"],
      ["X-Purpose": "preview"],
    ] as [HTTPFields])
  func browserThatLooksAheadUsesNothingUp(_ fields: HTTPFields) async throws {
    _ = try await signIn { link in
      for _ in 0..<2 {
        let response = try await get(link, fields)
        #expect(response.status == 503 && response.fields["Location"] == nil)
        #expect(response.fields["Cache-Control"] == "no-store")
      }
      #expect(try await http.send(HTTPRequest(.head, link)).status == 405)
      #expect(try await http.send(HTTPRequest(.post, link)).status == 405)
      try await bring(callback(of: try #require(try await get(link).fields["Location"])))
    }
  }

  // MARK: - Other users

  #if os(Linux)
    /// The status of a request of another user, to whom the superuser can give a socket.
    private func statusForOtherUser(_ url: URL) async throws -> String {
      let port = try #require(url.port)
      let other = try await RawClient.connect(to: port, asUser: 65_534)
      let target = url.path() + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
      await other.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
      return String(try await other.readToEnd().dropFirst(9).prefix(3))
    }

    @Test(.enabled(if: geteuid() == 0)) func otherUserGetsNeitherTheLinkNorTheCallback() async throws {
      _ = try await signIn { link in
        #expect(try await statusForOtherUser(link) == "403")
        // The link is still the browser's.
        let callback = try callback(of: try #require(try await get(link).fields["Location"]))
        #expect(try await statusForOtherUser(callback) == "403")
        try await bring(callback)
      }
    }

    @Test(.enabled(if: geteuid() == 0)) func otherUserIsServedWhereThatIsAllowed() async throws {
      _ = try await signIn(allowsOtherUsers: true) { link in
        let callback = try callback(of: try #require(try await get(link).fields["Location"]))
        #expect(try await statusForOtherUser(callback) == "303")
        Task {
          while !"\(clock)".contains("for 5.0 s") { await Task.yield() }
          clock.advance(by: .seconds(5))
        }
      }
    }
  #endif

  // MARK: - A file in place of the link

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber).intValue
  }

  @Test func fileIsForThisUserAloneAndIsRemoved() async throws {
    let shown = Mutex<URL?>(nil)
    let answer = try await signIn(handoff: .privateFile) { file in
      shown.withLock { $0 = file }
      #expect(file.isFileURL && file.pathExtension == "html")
      #expect(try mode(file.path()) == 0o600)
      #expect(try mode(file.deletingLastPathComponent().path()) == 0o700)
      let html = try String(contentsOf: file, encoding: .utf8)
      let url = try #require(html.firstMatch(of: /content="0;url=([^"]*)"/)?.output.1.replacing("&amp;", with: "&"))
      #expect(url.hasPrefix("https://login.example/authorize?"))
      #expect(html.contains(#"<meta name="referrer" content="no-referrer">"#))
      try await bring(callback(of: String(url)))
    }
    let file = try #require(shown.withLock { $0 })
    #expect(!file.absoluteString.contains(answer.pending.state.reveal()))
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path()))
  }

  @Test func fileOfAFailedSignInIsRemoved() async throws {
    let shown = Mutex<URL?>(nil)
    await #expect(throws: CancellationError.self) {
      try await signIn(handoff: .privateFile) { file in
        shown.withLock { $0 = file }
        throw CancellationError()
      }
    }
    let file = try #require(shown.withLock { $0 })
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path()))
  }
}
