// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

@testable import AppBackend

/// Tests the app and its backend with the sandbox's Meetup-like provider, which has no ID token.
@Suite struct AppBackendTests {
  private let harness = Harness()

  @Test func memberIsReadThroughTheBackend() async throws {
    let backend = try harness.start()
    let app = try harness.app(backend)
    let member = try await app.member()
    #expect(member.name == "Sample Person" && member.city == "Madrid" && !member.id.isEmpty)
    #expect(try await harness.storage.accounts() == [member.id])
    #expect(try await app.member() == member, "The second call needs no sign-in.")
    #expect(harness.signIns == 1)
  }

  @Test func appGetsNoTokenOfTheProvider() async throws {
    let backend = try harness.start()
    let app = try harness.app(backend)
    let member = try await app.member()
    let stored = try #require(try await harness.storage.token(for: member.id))
    let provided = [stored.accessToken, stored.refreshToken].compactMap { $0?.reveal() }
    let session = try #require(try await app.account.storedToken).accessToken.reveal()
    #expect(!provided.isEmpty && !provided.contains(session))
    for secret in provided { #expect(!harness.seenByTheApp.contains(secret)) }
    #expect(!(try harness.file).contains(session), "Who reads the file gets no session.")
  }

  @Test func folderOfTheSessionsIsForThisUser() throws {
    try FileManager.default.createDirectory(
      at: harness.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    _ = try harness.start()
    let mode = try FileManager.default.attributesOfItem(atPath: harness.folder.path)[.posixPermissions] as? NSNumber
    #expect(mode == 0o700)
  }

  @Test func userWhoSaysNoIsNotSignedIn() async throws {
    let app = try harness.app(try harness.start(), denies: true)
    let error = await #expect(throws: OAuthError.self) { try await app.member() }
    #expect(error?.code == .accessDenied)
    #expect(try await harness.storage.accounts().isEmpty)
  }

  @Test func signInSurvivesARestartInItsMiddle() async throws {
    let browser = Browser(try harness.start())
    let consent = try #require(try await browser.open(try harness.request()))
    browser.backend = try harness.start()
    let back = try #require(try await browser.open(try harness.sandbox.approve(consent)))
    #expect(back.absoluteString.hasPrefix("\(Harness.app.redirectURI)?code="))
  }

  @Test func callbackCountsInItsOwnBrowserAndOnce() async throws {
    let backend = try harness.start()
    let (browser, other) = (Browser(backend), Browser(backend))
    let callback = try harness.sandbox.approve(try #require(try await browser.open(try harness.request())))
    #expect(try await other.open(callback) == nil && other.status == 400, "A browser without a sign-in")
    _ = try await other.open(try harness.request())
    #expect(try await other.open(callback) == nil && other.status == 400, "A browser with another sign-in")
    #expect(try await harness.storage.accounts().isEmpty)
    #expect(try await browser.open(callback) != nil)
    #expect(try await browser.open(callback) == nil && browser.status == 400)
    #expect(browser.attributes.contains("HttpOnly") && browser.attributes.contains("Secure"))
  }

  @Test(arguments: [
    ["client_id": "other"], ["redirect_uri": "https://attacker.example/"], ["redirect_uri": nil], ["client_id": nil],
    ["redirect_uri": "https://app.example/signed-in/"],
  ])
  func requestOfAnotherAppIsSentNowhere(_ changes: [String: String?]) async throws {
    let browser = Browser(try harness.start())
    #expect(try await browser.open(try harness.request(changes)) == nil && browser.status == 400)
  }

  @Test(arguments: [
    ["code_challenge": nil], ["code_challenge": "x"], ["code_challenge_method": "plain"],
    ["code_challenge_method": nil], ["response_type": "token"], ["state": nil],
  ])
  func requestWithoutItsProtectionIsRefused(_ changes: [String: String?]) async throws {
    let browser = Browser(try harness.start())
    let back = try #require(try await browser.open(try harness.request(changes)))
    let parameters = FormEncoding.query.decode(back.query(percentEncoded: true) ?? "")
    #expect(back.absoluteString.hasPrefix("\(Harness.app.redirectURI)?") && parameters["error"] == "invalid_request")
    #expect(parameters["iss"] == "https://backend.example")
  }

  @Test func codeNeedsItsVerifierAndCountsOnce() async throws {
    let backend = try harness.start()
    let code = try await harness.code(Browser(backend))
    let wrong = try await harness.exchange(code, verifier: PKCE().verifier, at: backend)
    #expect(wrong.status == 400 && wrong.text.contains("invalid_grant"))
    #expect(try await harness.exchange(code, at: backend).status == 400, "A code that was tried is used.")
    let second = try await harness.code(Browser(backend))
    #expect(try await harness.exchange(second, at: backend).status == 200)
    #expect(try await harness.exchange(second, at: backend).status == 400)
  }

  @Test func codeEndsAfterAMinute() async throws {
    let backend = try harness.start()
    let code = try await harness.code(Browser(backend))
    harness.clock.advance(by: .seconds(61))
    #expect(try await harness.exchange(code, at: backend).status == 400)
  }

  @Test func nothingButASessionOpensARoute() async throws {
    let backend = try harness.start()
    let browser = Browser(backend)
    let code = try await harness.code(browser)
    for token in [nil, code, browser.cookie ?? "", "x", ""] {
      let response = try await harness.read("member", token, at: backend)
      #expect(response.status == 401 && response.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
    }
    #expect(try await harness.read("other", code, at: backend).status == 404)
  }

  @Test func signingOutEndsTheSession() async throws {
    let backend = try harness.start()
    let app = try harness.app(backend)
    let member = try await app.member()
    let session = try #require(try await app.account.storedToken).accessToken.reveal()
    #expect(try await harness.read("member", session, at: backend).status == 200)
    try await app.signOut()
    #expect(try await harness.read("member", session, at: backend).status == 401)
    #expect(try await harness.storage.accounts() == [member.id], "Another device of the user's goes on.")
  }

  @Test func disconnectingRemovesTheTokensAndEveryDevicesSession() async throws {
    let backend = try harness.start()
    let (phone, tablet) = (try harness.app(backend), try harness.app(backend))
    _ = try await phone.member()
    _ = try await tablet.member()
    try await phone.disconnect()
    #expect(try await harness.storage.accounts().isEmpty)
    let session = try #require(try await tablet.account.storedToken).accessToken.reveal()
    #expect(try await harness.read("member", session, at: backend).status == 401)
  }

  @Test func accessThatWasWithdrawnAsksTheAppToSignIn() async throws {
    let backend = try harness.start()
    let app = try harness.app(backend)
    _ = try await app.member()
    let session = try #require(try await app.account.storedToken).accessToken.reveal()
    harness.sandbox.revokeGrants()
    #expect(try await harness.read("member", session, at: backend).status == 401)
    #expect(try await app.member().name == "Sample Person")
    #expect(harness.signIns == 2)
  }
}
