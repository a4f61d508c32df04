// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import AppFlip
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Testing
import TokenStore

@testable import LinkedApp

@MainActor @Suite struct LinkingModelTests {
  private static let redirect = "https://oauth-redirect.googleusercontent.com/a/com.google.OPA"
  private static let endpoint = URL(text: "https://app.example/app-flip/code")

  /// The responses that were opened in Google's app.
  @MainActor private final class Opened {
    var responses: [AppFlipResponse] = []
    var succeeds = true
    /// The transport to the app's server.
    var transport: StubTransport?
    /// A closure that is called before a response is opened.
    var onOpen: () -> Void = {}
    var fields: FormFields { FormEncoding.query.decode(responses.last?.url.query(percentEncoded: true) ?? "") }
  }

  private let opened = Opened()

  /// - Parameters:
  ///   - isSignedIn: Whether a user is signed in to the app.
  ///   - signsIn: Whether the user signs in when the page is shown.
  ///   - response: The server's response to the request for a code.
  private func model(
    isSignedIn: Bool = true, signsIn: Bool = true,
    _ response: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> LinkingModel {
    let signIns = Mutex(0)
    let transport = StubTransport { request in
      if request.url.path() == "/token" {
        let number = signIns.withLock {
          $0 += 1
          return $0
        }
        return Self.json(#"{"access_token":"session-\#(number)","token_type":"Bearer"}"#)
      }
      let session = "Bearer session-\(signIns.withLock { $0 })"
      #expect(request.fields["Authorization"] == session, "The transport carries the session.")
      return try await response(request)
    }
    opened.transport = transport
    let account = try account(transport, signsIn: signsIn)
    if isSignedIn { try await account.signIn() }
    return LinkingModel(
      google: AppFlipRegistration(clientID: "google"),
      server: HTTPLinkServer(account: account, endpoint: Self.endpoint)
    ) { [opened] response in
      opened.onOpen()
      opened.responses.append(response)
      return opened.succeeds
    }
  }

  /// Returns the user's sign-in to the app.
  private func account(_ transport: some Transport, signsIn: Bool) throws -> OAuthAccount {
    let server = ServerMetadata(
      issuer: "https://app.example", authorizationEndpoint: URL(text: "https://app.example/authorize"),
      tokenEndpoint: URL(text: "https://app.example/token")
    ) {
      $0.tokenEndpointAuthMethodsSupported = ["none"]
    }
    let userAgent = ScriptedUserAgent { pending in
      let outcome = signsIn ? "code=x" : "error=access_denied"
      return try #require(URL(string: "\(pending.redirectURI)?\(outcome)&state=\(pending.state.reveal())"))
    }
    return OAuthAccount(
      client: try OAuthClient(
        provider: Provider(name: "Example", server: server), registration: ClientRegistration(clientID: "app"),
        transport: transport),
      storage: InMemoryTokenStorage(), account: "me", scopes: [], userAgent: userAgent)
  }

  nonisolated private static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(text.utf8))
  }

  private static let granting: @Sendable (HTTPRequest) async throws -> HTTPResponse = { _ in
    json(#"{"code":"4/x"}"#)
  }

  private func link(
    clientID: String = "google", redirect: String = redirect, state: String = "a%2fb"
  ) throws -> URL {
    try #require(
      URL(
        string: "https://app.example/link?client_id=\(clientID)&scope=email&state=\(state)&redirect_uri=\(redirect)"))
  }

  /// Opens the app with a link, and returns the request on the consent screen.
  private func ask(_ model: LinkingModel, _ link: URL) async throws -> AppFlipRequest {
    #expect(model.handle(link))
    await settle(model)
    guard case .asking(let request) = model.state else { throw NotAsked() }
    return request
  }

  /// Waits until the model knows whether a user is signed in.
  private func settle(_ model: LinkingModel) async {
    while case .preparing = model.state, !Task.isCancelled { await Task.yield() }
  }

  private struct NotAsked: Error {}

  @Test func linkAsksTheUserAndAgreementSendsTheCode() async throws {
    let model = try await model(Self.granting)
    #expect(model.state == .idle)
    let request = try await ask(model, link())
    #expect(request.scopes == ["email"] && opened.responses.isEmpty)
    await model.allow(request)
    #expect(opened.responses.map(\.url.absoluteString) == ["\(Self.redirect)?code=4%2Fx&state=a%2fb"])
    #expect(model.state == .idle)

    let sent = try #require(opened.transport?.requests.last)
    #expect(sent.method == .post && sent.url == Self.endpoint)
    let order = try JSONDecoder().decode(Order.self, from: Data(sent.body ?? []))
    #expect(order == Order(clientID: "google", scopes: ["email"], redirectURI: Self.redirect))
  }

  private struct Order: Decodable, Equatable {
    let clientID: String
    let scopes: [Scope]
    let redirectURI: String
  }

  @Test func denialIsAccessDenied() async throws {
    let model = try await model(Self.granting)
    let request = try await ask(model, link())
    await model.deny(request)
    #expect(opened.fields["error"] == "access_denied" && opened.fields["code"] == nil)
    #expect(model.state == .idle)
  }

  @Test func disabledAccountIsUnrecoverable() async throws {
    let model = try await model { _ in HTTPResponse(status: 403) }
    let request = try await ask(model, link())
    await model.allow(request)
    #expect(opened.fields["error"] == "unrecoverable" && opened.fields["error_description"] != nil)
    #expect(model.state == .idle)
  }

  @Test(arguments: [500, 404]) func serverThatFailsIsCancelled(_ status: Int) async throws {
    let model = try await model { _ in HTTPResponse(status: status) }
    let request = try await ask(model, link())
    await model.allow(request)
    #expect(opened.fields["error"] == "cancelled")
  }

  @Test func deviceWithoutANetworkIsCancelled() async throws {
    let model = try await model { _ in throw TransportError(.unreachable, "There is no network.") }
    let request = try await ask(model, link())
    await model.allow(request)
    #expect(opened.fields["error"] == "cancelled")
  }

  @Test func progressIsShownWhileTheServerIsAsked() async throws {
    let waiting = AsyncStream<Void>.makeStream()
    let model = try await model { request in
      for await _ in waiting.stream { break }
      return try await Self.granting(request)
    }
    let request = try await ask(model, link())
    let allowing = Task { await model.allow(request) }
    while model.state != .linking(request), !Task.isCancelled { await Task.yield() }
    #expect(opened.responses.isEmpty)
    await model.deny(request)
    #expect(model.state == .linking(request), "The user has agreed already.")
    waiting.continuation.yield()
    await allowing.value
    #expect(model.state == .idle && opened.responses.count == 1)
  }

  @Test func userSignsInBeforeConsentIsAsked() async throws {
    let model = try await model(isSignedIn: false, Self.granting)
    #expect(model.handle(try link()))
    await settle(model)
    guard case .signInRequired(let request) = model.state else { throw NotAsked() }
    await model.allow(request)
    #expect(model.state == .signInRequired(request), "No user is there to agree.")
    await model.signIn(request)
    #expect(model.state == .asking(request) && opened.responses.isEmpty)
    await model.allow(request)
    #expect(opened.fields["code"] == "4/x" && model.state == .idle)
  }

  @Test func sessionThatEndedMeanwhileLeadsToASignInAndANewConsent() async throws {
    let ended = Switch()
    ended.isOn = true
    let model = try await model { request in
      ended.isOn ? HTTPResponse(status: 401) : try await Self.granting(request)
    }
    let request = try await ask(model, link())
    await model.allow(request)
    #expect(model.state == .signInRequired(request) && opened.responses.isEmpty)
    ended.isOn = false
    await model.signIn(request)
    #expect(model.state == .asking(request), "Another user may have signed in.")
    await model.allow(request)
    #expect(opened.fields["code"] == "4/x" && model.state == .idle)
  }

  @Test func userWhoDoesNotSignInIsSentToTheBrowser() async throws {
    let model = try await model(isSignedIn: false, signsIn: false, Self.granting)
    #expect(model.handle(try link()))
    await settle(model)
    guard case .signInRequired(let request) = model.state else { throw NotAsked() }
    await model.signIn(request)
    #expect(model.state == .signInRequired(request) && opened.responses.isEmpty)
    await model.deny(request)
    #expect(opened.fields["error"] == "cancelled" && model.state == .idle)
  }

  @Test(arguments: [200, 401, 403, 500])
  func linkThatComesWhileAnOlderOneWaitsForTheServerIsAsked(_ status: Int) async throws {
    let waiting = AsyncStream<Void>.makeStream()
    let model = try await model { request in
      for await _ in waiting.stream { break }
      return status == 200 ? try await Self.granting(request) : HTTPResponse(status: status)
    }
    let older = try await ask(model, link(state: "older"))
    let allowing = Task { await model.allow(older) }
    while model.state != .linking(older), !Task.isCancelled { await Task.yield() }
    let newer = try await ask(model, link(state: "newer"))
    waiting.continuation.finish()
    await allowing.value
    #expect(model.state == .asking(newer) && opened.responses.isEmpty)
    await model.deny(newer)
    #expect(opened.responses.count == 1 && opened.fields["state"] == "newer" && model.state == .idle)
  }

  @Test func linkThatComesWhileAResponseIsOpenedIsAsked() async throws {
    let newer = try link(state: "newer")
    opened.succeeds = false
    let model = try await model(Self.granting)
    opened.onOpen = { model.handle(newer) }
    await model.allow(try await ask(model, link(state: "older")))
    #expect(opened.fields["state"] == "older")
    await settle(model)
    guard case .asking(let request) = model.state else { throw NotAsked() }
    await model.deny(request)
    #expect(opened.fields["state"] == "newer")
  }

  @Test func agreementToARequestIsNotAgreementToTheOneThatReplacedIt() async throws {
    let model = try await model(Self.granting)
    let older = try await ask(model, link(state: "older"))
    let newer = try await ask(model, link(state: "newer"))
    await model.allow(older)
    await model.deny(older)
    await model.signIn(newer)
    #expect(model.state == .asking(newer) && opened.responses.isEmpty)
    await model.allow(newer)
    #expect(opened.fields["code"] == "4/x" && opened.fields["state"] == "newer")
  }

  @Test func faultyLinkLeavesTheConsentOfAnother() async throws {
    let model = try await model(Self.granting)
    let request = try await ask(model, link())
    #expect(model.handle(try link(clientID: "other")))
    while opened.responses.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(opened.fields["error"] == "invalid_request" && model.state == .asking(request))
    await model.allow(request)
    #expect(opened.fields["code"] == "4/x" && model.state == .idle)
  }

  @Test func consentScreenIsGoneBeforeTheResponseIsOpened() async throws {
    let model = try await model(Self.granting)
    let request = try await ask(model, link())
    opened.onOpen = { #expect(model.state == .idle) }
    await model.deny(request)
    await model.deny(request)
    #expect(opened.responses.count == 1)
  }

  @Test func otherLinkOfTheAppIsLeftAlone() async throws {
    let model = try await model(Self.granting)
    #expect(!model.handle(try #require(URL(string: "https://app.example/article?id=3"))))
    #expect(model.state == .idle && opened.responses.isEmpty)
  }

  @Test func linkThatIsNotGooglesIsIgnored() async throws {
    let model = try await model(Self.granting)
    #expect(model.handle(try link(redirect: "https://attacker.example/a/com.google.OPA")))
    #expect(model.state == .idle && opened.responses.isEmpty)
  }

  @Test func faultyLinkOfGooglesIsAnsweredAtOnce() async throws {
    let model = try await model(Self.granting)
    #expect(model.handle(try link(clientID: "other")))
    while opened.responses.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(opened.fields["error"] == "invalid_request" && model.state == .idle)
  }

  @Test func missingGoogleAppIsReported() async throws {
    opened.succeeds = false
    let model = try await model(Self.granting)
    let request = try await ask(model, link())
    await model.allow(request)
    #expect(model.state == .undelivered)
    model.dismiss()
    #expect(model.state == .idle)
  }
}

private final class Switch: Sendable {
  private let value = Mutex(false)
  var isOn: Bool {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension URL {
  /// Creates a URL from text in the tests.
  fileprivate init(text: String) { self = URL(string: text) ?? URL(filePath: "/") }
}
