// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import HexColor
import OAuthCore
import OAuthUserAgents
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// The traps that the tutorials walk into, by name.
@Suite("Traps of the tutorials", .takesTurns) struct TutorialTraps {
  private let clock = ManualClock()

  private func account(
    at sandbox: Sandbox, _ storage: any TokenStorage = InMemoryTokenStorage(), clock: ManualClock? = nil,
    userAgent: (any UserAgent)? = nil
  ) throws -> GoogleAccount {
    try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: GoogleScope.default,
      services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
      transport: sandbox.transport(), storage: storage, clock: clock ?? self.clock,
      userAgent: userAgent ?? sandbox.approvingUser)
  }

  // MARK: The payload

  @Test("Scopes joined with plus signs, unescaped")
  func scopesAreEscaped() async throws {
    let client = try OAuthClient(
      server: Provider.google.server, registration: ClientRegistration(clientID: "1&2=3+4"), transport: StubTransport())
    let scopes = ["https://www.googleapis.com/auth/calendar", "a+b", "c&d=e"]
    let pending = try await client.beginAuthorization(scopes: scopes, redirectURI: ScriptedUserAgent.loopbackRedirect)
    let query = try #require(pending.authorizationURL.query(percentEncoded: true))
    #expect(query.contains("scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcalendar+a%2Bb+c%26d%3De&"))
    let fields = FormEncoding.form.decode(query)
    #expect(fields["scope"] == scopes.joined(separator: " "))
    #expect(fields["client_id"] == "1&2=3+4")
    #expect(fields["d"] == nil)
  }

  @Test("A payload in the order of a dictionary")
  func payloadKeepsItsOrder() {
    let fields: FormFields = ["z": "1", "a": "2", "m": "3", "code": "4/x&y=z+ñ", "a": "5"]
    for _ in 0..<20 { #expect(FormEncoding.form.encode(fields) == "z=1&a=2&m=3&code=4%2Fx%26y%3Dz%2B%C3%B1&a=5") }
    #expect(FormEncoding.form.decode(FormEncoding.form.encode(fields)) == fields)
  }

  @Test("A trailing ampersand, and an empty payload that is cut by one", arguments: [0, 1, 2, 50])
  func payloadDoesNotEndWithAnAmpersand(count: Int) {
    let fields = (0..<count).reduce(into: FormFields()) { $0.append("n\($1)", "") }
    let payload = FormEncoding.form.encode(fields)
    #expect(!payload.hasSuffix("&") && payload.split(separator: "&").count == count)
    #expect(FormEncoding.form.decode(payload + "&") == fields)
  }

  // MARK: The token's age

  @Test("Expiry by the file's date: a date long past, or to come", arguments: [0, 4_000_000_000])
  func dateOfTheFileSaysNothing(date: TimeInterval) async throws {
    let folder = TemporaryFolder()
    defer { folder.remove() }
    let sandbox = Sandbox(clock: clock)
    try await account(at: sandbox, folder.storage()).authorize()
    for file in try folder.files() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: date), .creationDate: Date(timeIntervalSince1970: date)],
        ofItemAtPath: file.path(percentEncoded: false))
    }
    try await account(at: sandbox, folder.storage()).authorize()
    #expect(sandbox.refreshRequestCount == 0, "The token is good for an hour, whatever the file's date.")
    clock.advance(by: .seconds(3600))
    try await account(at: sandbox, folder.storage()).authorize()
    #expect(sandbox.refreshRequestCount == 1, "An hour has passed, whatever the file's date.")
  }

  @Test("Expiry by the file's date: a copy looks new")
  func copiedFileIsAsOldAsItsContent() async throws {
    let (folder, copy) = (TemporaryFolder(), TemporaryFolder())
    defer {
      folder.remove()
      copy.remove()
    }
    let sandbox = Sandbox(clock: clock)
    try await account(at: sandbox, folder.storage()).authorize()
    clock.advance(by: .seconds(3600))
    // The copy is made now; the token in it is an hour old.
    try FileManager.default.copyItem(at: folder.url, to: copy.url)
    try await account(at: sandbox, copy.storage()).authorize()
    #expect(sandbox.refreshRequestCount == 1)
  }

  @Test("Expiry by the file's date: the clock is moved back")
  func clockThatIsMovedBackCostsOneRejection() async throws {
    let sandbox = Sandbox(clock: clock)
    let storage = InMemoryTokenStorage()
    try await account(at: sandbox, storage).authorize()
    let movedBack = ManualClock(now: clock.now - .seconds(7 * 86_400))
    clock.advance(by: .seconds(7200))
    // By the wrong clock the token is good for a week; the server says otherwise, and that heals.
    let google = try account(at: sandbox, storage, clock: movedBack)
    _ = try await google.calendar.colors.get()
    #expect(sandbox.refreshRequestCount == 1)
    // The server's date tells how wrong the clock is: the new token is neither dead at once nor good for a week.
    _ = try await google.calendar.colors.get()
    #expect(sandbox.refreshRequestCount == 1)
    clock.advance(by: .seconds(3600))
    movedBack.advance(by: .seconds(3600))
    _ = try await google.calendar.colors.get()
    #expect(sandbox.refreshRequestCount == 2)
    #expect(sandbox.log.count { $0.kind == .apiRefused } == 1)
  }

  // MARK: Refresh

  @Test("A refresh whose answer has no refresh token")
  func refreshTokenIsCarriedForward() async throws {
    let sandbox = Sandbox(clock: clock, configuration: .init(rotatesRefreshTokens: false))
    let storage = InMemoryTokenStorage()
    let google = try account(at: sandbox, storage)
    try await google.authorize()
    let first = try #require(try await storage.token(for: "default almanac"))
    for round in 1...3 {
      clock.advance(by: .seconds(3600))
      try await google.authorize()
      #expect(sandbox.refreshRequestCount == round)
      let token = try #require(try await storage.token(for: "default almanac"))
      #expect(token.refreshToken == first.refreshToken && token.accessToken != first.accessToken)
    }
    #expect(sandbox.log.count { $0.kind == .codeRedeemed } == 1)
  }

  @Test("invalid_grant: the user has to sign in again, once")
  func invalidGrantLeadsBackToTheSignIn() async throws {
    let sandbox = Sandbox(clock: clock)
    let google = try account(at: sandbox)
    try await google.authorize()
    sandbox.revokeGrants()
    let error = await #expect(throws: OAuthError.self) { try await google.calendar.colors.get() }
    #expect(error?.code == .signInRequired && error?.serverCode == "invalid_grant")
    try await google.authorize()
    #expect(sandbox.log.count { $0.kind == .codeRedeemed } == 2)
    _ = try await google.calendar.colors.get()
  }

  // MARK: The user's answer

  @Test("access_denied: a view that is taken away and nothing said")
  func accessDeniedClosesCleanly() async throws {
    let sandbox = Sandbox(clock: clock)
    let storage = InMemoryTokenStorage()
    let redirect = Mutex<URL?>(nil)
    let http = DefaultTransport()
    let browser = LoopbackUserAgent(clock: clock) { link in
      let callback = try sandbox.approve(try await authorizationURL(behind: link), deny: true)
      redirect.withLock { $0 = callback }
      Task { try await http.send(HTTPRequest(.get, callback)) }
    }
    let error = await #expect(throws: OAuthError.self) {
      try await account(at: sandbox, storage, userAgent: browser).authorize()
    }
    #expect(error?.code == .accessDenied && error?.serverCode == "access_denied")
    #expect(try await storage.accounts().isEmpty)
    #expect(sandbox.requestCount(.token) == 0)
    let address = try #require(redirect.withLock { $0 })
    let closed = await #expect(throws: TransportError.self) { try await http.send(HTTPRequest(.get, address)) }
    #expect(closed?.code == .unreachable)
  }

  @Test("A code read from a page's title")
  func titleOfAPageIsNeverUsed() async throws {
    let sandbox = Sandbox(clock: clock)
    let pages = Mutex<[HTTPResponse]>([])
    let http = DefaultTransport()
    let browser = LoopbackUserAgent(clock: clock) { link in
      let callback = try sandbox.approve(try await authorizationURL(behind: link))
      // What the tutorials waited for comes first, and is none of the sign-in's business.
      let redirect = String(callback.absoluteString.prefix { $0 != "?" })
      for query in ["", "?title=Success%20code%3D4%2Fforged", "?code=4%2Fforged"] {
        let page = try await http.send(HTTPRequest(.get, try #require(URL(string: redirect + query))))
        pages.withLock { $0.append(page) }
      }
      let page = try await http.send(HTTPRequest(.get, callback))
      pages.withLock { $0.append(page) }
    }
    let storage = InMemoryTokenStorage()
    try await account(at: sandbox, storage, userAgent: browser).authorize()
    #expect(try await storage.accounts() == ["default almanac"])
    #expect(sandbox.log.count { $0.kind == .codeRedeemed } == 1 && sandbox.requestCount(.token) == 1)
    let answers = pages.withLock { $0 }
    #expect(answers.prefix(3).map(\.status) == [400, 400, 400])
    for page in answers { #expect(!String(decoding: page.body, as: UTF8.self).contains("code=")) }
  }

  @Test("A redirect to urn:ietf:wg:oauth:2.0:oob, whose answer only a title has")
  func outOfBandIsRefused() async throws {
    let url = try #require(URL(string: "urn:ietf:wg:oauth:2.0:oob"))
    let google = try account(at: Sandbox(clock: clock))
    let error = await #expect(throws: OAuthError.self) { try await google.oauthAccount.beginSignIn(redirectURI: url) }
    #expect(error?.code == .invalidConfiguration)
  }

  // MARK: Colours

  @Test(
    "A hex colour that is no colour",
    arguments: [
      (nil, "nil"), ("", "empty"), ("#", "the sign alone"), ("   ", "whitespace alone"), ("#12", "too short"),
      ("#12345", "too short with the sign, six characters"), ("1234567", "too long"), ("#123456789", "too long"),
      ("+1+2+3", "plus signs"), ("-12345", "a minus sign"), ("#-1-2-3", "minus signs"),
      ("１２３４５６", "full-width digits"), ("#ＡＢＣＤＥＦ", "full-width letters"), ("٠١٢٣٤٥", "Arabic digits"),
      ("0x1234", "six characters with 0x"), ("0x123456", "0x"), ("#0x12", "0x after the sign"),
      ("12 456", "a space within"),
      ("##12345", "two signs"), ("GGGGGG", "letters that are no digits"), ("#12345\u{0301}6", "a combining mark"),
    ] as [(String?, String)])
  func noColourIsTheDefault(text: String?, why: String) {
    #expect(RGBColor(hex: text, default: .white) == .white, "\(why)")
    if let text { #expect(throws: RGBColor.ParseError.self, "\(why)") { try RGBColor(hex: text) } }
  }

  @Test("A hex colour with whitespace around it", arguments: [" #9fe1e7", "9FE1E7\n", "\t #9fE1e7 \r\n"])
  func whitespaceAroundAColourIsIgnored(text: String) {
    #expect(RGBColor(hex: text, default: .white) == RGBColor(red: 0x9F, green: 0xE1, blue: 0xE7))
  }
}

/// A folder for tokens.
private struct TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")

  func storage() -> FileTokenStorage { FileTokenStorage(directory: url) }

  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}

/// Follows the one-time link that a browser is opened at.
private func authorizationURL(behind link: URL) async throws -> URL {
  let response = try await DefaultTransport(limits: .init(redirects: 0)).send(HTTPRequest(.get, link))
  return try #require(response.fields["Location"].flatMap { URL(string: $0) })
}
