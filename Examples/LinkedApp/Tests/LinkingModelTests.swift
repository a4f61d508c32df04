// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import AppFlip
import Foundation
import HTTPTransport
import Synchronization
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct LinkingModelTests {
  private static let redirect = "https://oauth-redirect.googleusercontent.com/a/com.google.OPA"
  private static let endpoint = "https://app.example/app-flip/code"

  /// What was opened in Google's app.
  @MainActor private final class Opened {
    var responses: [AppFlipResponse] = []
    var succeeds = true
    var fields: FormFields { FormEncoding.query.decode(responses.last?.url.query(percentEncoded: true) ?? "") }
  }

  private let opened = Opened()

  private func model(_ response: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) -> LinkingModel {
    LinkingModel(
      google: AppFlipRegistration(clientID: "google"),
      server: HTTPLinkServer(transport: StubTransport(response), endpoint: Self.endpoint)
    ) { [opened] response in
      opened.responses.append(response)
      return opened.succeeds
    }
  }

  private static let granting: @Sendable (HTTPRequest) async throws -> HTTPResponse = { _ in
    HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(#"{"code":"4/x"}"#.utf8))
  }

  private func link(clientID: String = "google", redirect: String = redirect) throws -> URL {
    try #require(
      URL(string: "https://app.example/link?client_id=\(clientID)&scope=email&state=a%2fb&redirect_uri=\(redirect)"))
  }

  @Test func linkAsksTheUserAndAgreementSendsTheCode() async throws {
    let transport = StubTransport(Self.granting)
    let model = LinkingModel(
      google: AppFlipRegistration(clientID: "google"),
      server: HTTPLinkServer(transport: transport, endpoint: Self.endpoint)
    ) { [opened] in
      opened.responses.append($0)
      return true
    }
    #expect(model.state == .idle)
    #expect(model.handle(try link()))
    guard case .asking(let request) = model.state else {
      Issue.record("The user is asked.")
      return
    }
    #expect(request.scopes == ["email"] && opened.responses.isEmpty)
    await model.allow()
    #expect(opened.responses.map(\.url.absoluteString) == ["\(Self.redirect)?code=4%2Fx&state=a%2fb"])
    #expect(model.state == .idle)

    let sent = try #require(transport.requests.first)
    #expect(sent.method == .post && sent.url.absoluteString == Self.endpoint)
    let order = try JSONDecoder().decode(Order.self, from: Data(sent.body ?? []))
    #expect(order == Order(clientID: "google", scopes: ["email"], redirectURI: Self.redirect))
  }

  private struct Order: Decodable, Equatable {
    let clientID: String
    let scopes: [String]
    let redirectURI: String
  }

  @Test func denialIsAccessDenied() async throws {
    let model = model(Self.granting)
    model.handle(try link())
    await model.deny()
    #expect(opened.fields["error"] == "access_denied" && opened.fields["code"] == nil)
    #expect(model.state == .idle)
  }

  @Test func disabledAccountIsUnrecoverable() async throws {
    let model = model { _ in HTTPResponse(status: 403) }
    model.handle(try link())
    await model.allow()
    #expect(opened.fields["error"] == "unrecoverable" && opened.fields["error_description"] != nil)
    #expect(model.state == .idle)
  }

  @Test(arguments: [500, 404]) func serverThatFailsIsCancelled(_ status: Int) async throws {
    let model = model { _ in HTTPResponse(status: status) }
    model.handle(try link())
    await model.allow()
    #expect(opened.fields["error"] == "cancelled")
  }

  @Test func deviceWithoutANetworkIsCancelled() async throws {
    let model = model { _ in throw TransportError(.unreachable, "There is no network.") }
    model.handle(try link())
    await model.allow()
    #expect(opened.fields["error"] == "cancelled")
  }

  @Test func progressIsShownWhileTheServerIsAsked() async throws {
    let waiting = AsyncStream<Void>.makeStream()
    let model = model { request in
      for await _ in waiting.stream { break }
      return try await Self.granting(request)
    }
    model.handle(try link())
    let allowing = Task { await model.allow() }
    while model.state != .linking, !Task.isCancelled { await Task.yield() }
    #expect(opened.responses.isEmpty)
    await model.deny()
    #expect(model.state == .linking, "The user has agreed already.")
    waiting.continuation.yield()
    await allowing.value
    #expect(model.state == .idle && opened.responses.count == 1)
  }

  @Test func userWhoIsSignedOutSignsInFirst() async throws {
    let signedIn = Switch()
    let model = model { request in
      signedIn.isOn ? try await Self.granting(request) : HTTPResponse(status: 401)
    }
    model.handle(try link())
    await model.allow()
    guard case .signInRequired = model.state else {
      Issue.record("The user has to sign in.")
      return
    }
    #expect(opened.responses.isEmpty)
    signedIn.isOn = true
    await model.continueAfterSignIn()
    #expect(opened.fields["code"] == "4/x" && model.state == .idle)
  }

  @Test func userWhoDoesNotSignInIsSentToTheBrowser() async throws {
    let model = model { _ in HTTPResponse(status: 401) }
    model.handle(try link())
    await model.allow()
    await model.deny()
    #expect(opened.fields["error"] == "cancelled" && model.state == .idle)
  }

  @Test func otherLinkOfTheAppIsLeftAlone() throws {
    let model = model(Self.granting)
    #expect(!model.handle(try #require(URL(string: "https://app.example/article?id=3"))))
    #expect(model.state == .idle && opened.responses.isEmpty)
  }

  @Test func linkThatIsNotGooglesIsIgnored() throws {
    let model = model(Self.granting)
    #expect(model.handle(try link(redirect: "https://attacker.example/a/com.google.OPA")))
    #expect(model.state == .idle && opened.responses.isEmpty)
  }

  @Test func faultyLinkOfGooglesIsAnsweredAtOnce() async throws {
    let model = model(Self.granting)
    #expect(model.handle(try link(clientID: "other")))
    while opened.responses.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(opened.fields["error"] == "invalid_request" && model.state == .idle)
  }

  @Test func missingGoogleAppIsReported() async throws {
    opened.succeeds = false
    let model = model(Self.granting)
    model.handle(try link())
    await model.allow()
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
