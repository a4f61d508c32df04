// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AppFlip
import HTTPTransport
import LoopbackHTTP
import OpenIDConnect
import PlatformFoundation
import TokenStore

extension SystemsDemo.System {
  static let appFlip = Self(
    name: "App Flip for iOS",
    replaces: "a redirect URI not compared, a state encoded anew, and twelve redirect URIs in a server's settings"
  ) { _, checks in
    let google = LinkedClient()
    let configuration = Sandbox.Configuration { $0.clients = [google.registration, .native] }
    try await DemoEnvironment.with(configuration: configuration, userAgent: nil) { demo in
      let app = LinkedApp(google: AppFlipRegistration(clientID: google.id), server: demo.server.url)
      try await link(app, google, demo, &checks)
      try await refuse(app, demo, &checks)
      try await askEndpoint(app, google, &checks)
    }
  }

  private static func link(
    _ app: LinkedApp, _ google: LinkedClient, _ demo: DemoEnvironment, _ checks: inout Checks
  ) async throws {
    var (reached, unchanged, subjects) = (0, 0, Set<String>())
    for redirect in AppFlipRedirect.google {
      guard let response = try await app.response(to: google.link(to: redirect)), let code = response.fields["code"]
      else {
        throw DemoFailure("the response to \(redirect) has a code")
      }
      if response.url.absoluteString.hasPrefix(redirect.uri + "?") { reached += 1 }
      if response.url.absoluteString.hasSuffix("&state=" + LinkedClient.encodedState) { unchanged += 1 }
      let token = try await google.exchange(code, for: redirect, at: demo)
      let profile: UserProfile = try await demo.http.call(
        .get, demo.server.url.appending(path: "userinfo"), fields: ["Authorization": "Bearer \(token.reveal())"])
      subjects.insert(profile.subject)
    }
    try checks.expect(reached == 12, "link in, sign-in, code out to each of Google's twelve redirect URIs")
    try checks.expect(unchanged == 12, "with the state byte for byte, \(LinkedClient.encodedState)")
    try checks.expect(
      demo.count(.codeRedeemed) == 12 && subjects == [demo.sandbox.configuration.user.subject],
      "a stand-in for Google's server exchanged every code, with its secret, and read the user's profile")
  }

  private static func refuse(_ app: LinkedApp, _ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let google = LinkedClient()
    let redirect = AppFlipRedirect(bundleIdentifier: "com.google.OPA")
    let link = try google.link(to: redirect)

    let denied = try await app.response(to: link, denies: true)?.fields
    try checks.expect(
      denied?["error"] == "access_denied" && denied?["error_description"] != nil && denied?["state"] != nil,
      "access_denied, with description and state, when the user denies")
    let offline = LinkedApp(google: app.google, server: URL(literal: "http://127.0.0.1:1"))
    let cancelled = try await offline.response(to: link)?.fields
    try checks.expect(cancelled?["error"] == "cancelled", "cancelled when the app's server cannot be reached")
    let disabled = try app.google.request(from: link).refuse(.unrecoverable, description: "The account is disabled.")
    try checks.expect(
      disabled.fields["error"] == "unrecoverable" && disabled.fields["error_description"] == "The account is disabled.",
      "unrecoverable when the app says so, such as for an account that is disabled")
    let before = demo.sandbox.log.count
    let wrong = try await app.response(to: google.link(to: redirect, clientID: "another-client"))?.fields
    try checks.expect(
      wrong?["error"] == "invalid_request" && demo.sandbox.log.count == before,
      "invalid_request for another client, and the app's server is not called")
    let foreign = try await app.response(to: google.link(toURI: "https://attacker.example/a/com.google.OPA"))
    try checks.expect(foreign == nil, "no response goes to a redirect URI that is not Google's")
  }

  private static func askEndpoint(
    _ app: LinkedApp, _ google: LinkedClient, _ checks: inout Checks
  ) async throws {
    let redirect = AppFlipRedirect(bundleIdentifier: "com.google.OPA")
    let refused = try await ConsentVisitor.decide(
      app.authorizationURL(clientID: Sandbox.Client.native.id, redirect: redirect.uri, scopes: ["openid"]))
    try checks.expect(
      refused.fields["error"] == "invalid_request" && refused.absoluteString.hasPrefix(redirect.uri),
      "the authorization endpoint refuses a client that is not linked with invalid_request")
    try await checks.expect("and never redirects to a URI that is not Google's") {
      _ = try await ConsentVisitor.decide(
        app.authorizationURL(clientID: google.id, redirect: "https://attacker.example/a/x", scopes: ["openid"]))
    } with: { (_: DemoFailure) in
      true
    }
  }
}

/// The linked app on the phone.
private struct LinkedApp {
  let google: AppFlipRegistration
  let server: URL

  /// Returns the response to a link opened by Google's app, or `nil` if the app must not respond.
  func response(to link: URL, denies: Bool = false) async throws -> AppFlipResponse? {
    let request: AppFlipRequest
    do {
      request = try google.request(from: link)
    } catch {
      return error.response
    }
    do {
      let url = authorizationURL(
        clientID: request.clientID, redirect: request.redirect.uri, scopes: request.scopes)
      let outcome = try await ConsentVisitor.decide(url, denies: denies).fields
      if let code = outcome["code"] { return request.response(code: code) }
      return request.refuse(
        outcome["error"].flatMap(AppFlipRefusal.init) ?? .unrecoverable, description: outcome["error_description"])
    } catch is TransportError {
      return request.refuse(.cancelled, description: "The server cannot be reached.")
    }
  }

  func authorizationURL(clientID: String, redirect: String, scopes: [Scope]) -> URL {
    server.appending(path: "authorize").appending(queryItems: [
      URLQueryItem(name: "response_type", value: "code"), URLQueryItem(name: "client_id", value: clientID),
      URLQueryItem(name: "redirect_uri", value: redirect),
      URLQueryItem(name: "scope", value: scopes.joined()),
    ])
  }
}

/// The client in Google's role: its app, which opens links, and its server, which exchanges codes.
private struct LinkedClient {
  /// A state not preserved by re-encoding: an escape in lower case, a plus sign and a byte of invalid UTF-8.
  static let encodedState = "a%2fb+c%FF"

  let id = "google-home"
  private let secret = Secret("known to Google's server and the app's server")

  var registration: Sandbox.Client {
    Sandbox.Client(
      id: id, name: "Google Home", redirectURIs: [], authentication: .clientSecretPost(secret),
      appFlipRedirects: AppFlipRedirect.google)
  }

  func link(to redirect: AppFlipRedirect, clientID: String? = nil) throws -> URL {
    try link(toURI: redirect.uri, clientID: clientID)
  }

  func link(toURI uri: String, clientID: String? = nil) throws -> URL {
    let query = FormEncoding.query.encode([
      "client_id": clientID ?? id, "scope": "openid email", "redirect_uri": uri,
    ])
    guard let url = URL(string: "https://app.example/link?\(query)&state=\(Self.encodedState)") else {
      throw DemoFailure("Google's app can write a link")
    }
    return url
  }

  /// Exchanges a code for tokens, as Google's server does, and returns the access token.
  func exchange(_ code: String, for redirect: AppFlipRedirect, at demo: DemoEnvironment) async throws -> Secret {
    struct Tokens: Decodable {
      let access: String
      enum CodingKeys: String, CodingKey { case access = "access_token" }
    }
    let tokens: Tokens = try await demo.http.call(
      .post, demo.server.url.appending(path: "token"),
      body: .form([
        "grant_type": "authorization_code", "code": code, "redirect_uri": redirect.uri, "client_id": id,
        "client_secret": secret.reveal(),
      ]))
    return Secret(tokens.access)
  }
}

extension URL {
  fileprivate var fields: FormFields { FormEncoding.form.decode(query(percentEncoded: true) ?? "") }
}

extension AppFlipResponse {
  fileprivate var fields: FormFields { url.fields }
}
