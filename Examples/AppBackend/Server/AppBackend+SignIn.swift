// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import TokenStore

// The sign-in: the app's request, the provider's page, the callback, the app's code.
extension AppBackend {
  private static let cookie = "sign-in"

  private var redirectURI: URL { publicURL.appending(path: "callback") }

  /// Redirects the browser to the provider (RFC 6749 § 4.1.1, RFC 7636 § 4.3).
  func authorize(_ request: HTTPRequest) async throws -> HTTPResponse {
    let query = request.query
    // Without a valid client and redirect URI, the browser is not redirected (§ 4.1.2.1).
    guard query.only("client_id") == app.clientID, query.only("redirect_uri") == app.redirectURI else {
      return .failure(400, "invalid_request")
    }
    guard let state = query.only("state"), query.only("response_type") == "code",
      query.only("code_challenge_method") == "S256", let challenge = query.only("code_challenge"), challenge.count == 43
    else {
      return backToApp(["error": "invalid_request"], state: query.only("state"))
    }
    let pending = try await client.beginAuthorization(scopes: api.scopes, redirectURI: redirectURI)
    // Binds the sign-in to this browser: the provider's callback is invalid in any other.
    let id = try await sessions.add(
      .signIn(pending, Sessions.AppRequest(state: state, challenge: challenge)), for: .seconds(600))
    return redirect(to: pending.authorizationURL, cookie: id, lifetime: 600)
  }

  /// Exchanges the provider's code, identifies the user, stores the tokens, and sends the app a code of the backend.
  func completeSignIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Removed before its use, so a repeated callback finds no sign-in.
    guard let id = request.cookie(Self.cookie), case .signIn(let pending, let asked) = try await sessions.take(id),
      let callback = URL(string: "\(redirectURI.absoluteString)?\(request.url.query(percentEncoded: true) ?? "")")
    else { return .failure(400, "invalid_request") }
    do {
      let token = try await client.completeAuthorization(pending, callback: callback)
      let userID = try await api.userID(await presenting(token))
      try await storage.withExclusiveAccess(to: userID) { try await $0.write(token) }
      let code = try await sessions.add(.code(userID: userID, challenge: asked.challenge), for: .seconds(60))
      return backToApp(["code": code], state: asked.state)
    } catch let error as OAuthError where error.code == .accessDenied {
      return backToApp(["error": "access_denied"], state: asked.state)
    } catch let error as OAuthError where [.stateMismatch, .invalidCallback, .issuerMismatch].contains(error.code) {
      // The callback belongs to another sign-in: the app gets no response.
      return .failure(400, "invalid_request")
    } catch {
      return backToApp(["error": "temporarily_unavailable"], state: asked.state)
    }
  }

  /// Exchanges the backend's code for a session: once, within a minute, and only for the app that began the sign-in (RFC 7636 §
  /// 4.6).
  func exchangeCode(_ request: HTTPRequest) async throws -> HTTPResponse {
    let form = request.form
    guard form.only("client_id") == app.clientID else { return .failure(401, "invalid_client") }
    guard form.only("grant_type") == "authorization_code" else { return .failure(400, "unsupported_grant_type") }
    guard let code = form.only("code"), let verifier = form.only("code_verifier"),
      form.only("redirect_uri") == app.redirectURI,
      case .code(let userID, let challenge) = try await sessions.take(code),
      // Secrets are compared in constant time.
      Secret(PKCE(verifier: Secret(verifier)).challenge) == Secret(challenge)
    else { return .failure(400, "invalid_grant") }
    let lifetime = 14 * 86_400
    let session = try await sessions.add(.session(userID: userID), for: .seconds(lifetime))
    return .json(["access_token": .text(session), "token_type": .text("Bearer"), "expires_in": .number(lifetime)])
  }

  /// Returns a transport to the provider's API for a token that is not stored yet.
  private func presenting(_ token: StoredToken) async throws -> any Transport {
    let storage = InMemoryTokenStorage()
    try await storage.withExclusiveAccess(to: "new") { try await $0.write(token) }
    return transport(of: "new", in: storage)
  }

  /// Redirects the browser to the app, with the issuer (RFC 9207), by which the app identifies the sender.
  private func backToApp(_ parameters: FormFields, state: String?) -> HTTPResponse {
    var query = parameters
    query["state"] = state
    query["iss"] = publicURL.absoluteString
    guard let url = URL(string: "\(app.redirectURI)?\(FormEncoding.query.encode(query))") else {
      return .failure(500, "server_error")
    }
    return redirect(to: url, cookie: "", lifetime: 0)
  }

  /// - Parameter lifetime: The cookie's, in seconds; 0 removes it.
  private func redirect(to url: URL, cookie: String, lifetime: Int) -> HTTPResponse {
    // Lax, because the browser sends the cookie with the callback, a link from the provider's page.
    let attributes = "Path=/callback; HttpOnly; SameSite=Lax" + (publicURL.scheme == "https" ? "; Secure" : "")
    return HTTPResponse(
      status: 303,
      fields: [
        "Location": url.absoluteString, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "Set-Cookie": "\(Self.cookie)=\(cookie); Max-Age=\(lifetime); \(attributes)",
      ])
  }
}
