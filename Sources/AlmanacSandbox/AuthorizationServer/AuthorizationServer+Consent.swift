// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthScope
import PlatformFoundation
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// The user's decision.
  enum Decision {
    /// Allows the scopes, or all requested ones, as the user with this e-mail address, or as the suggested user.
    case allow(Set<Scope>?, user: String? = nil)
    case deny
  }

  /// Applies the user's decision on a consent page.
  func decide(consent id: String, _ decision: Decision, at server: ServerProfile) -> AuthorizationOutcome {
    let now = clock.now
    guard let request = state.withLock({ $0.issued[server.realm, default: .init()].consents.take(id, now: now) }) else {
      record(.authorizationRefused, "consent unknown, already used or expired")
      return .refused(
        "This consent was already used or has expired. Go back to the application and start again.")
    }
    var granted: [Scope] = []
    var user = suggestedUser(for: request)
    if case .allow(let chosen, let email) = decision {
      user = configuration.users.first { $0.email == email } ?? user
      let chosen = chosen.map { request.client.granted(Array($0)) }
      granted = request.scopes.filter { scope in chosen.map { $0.contains(scope) } ?? true }
    }
    guard !granted.isEmpty else {
      record(.accessDenied, client: request.client.id)
      return .redirect(
        redirect(
          request.redirectURI, ["error": "access_denied", "error_description": "The user denied access."],
          request.state, server))
    }
    let session = session(of: user, for: request, at: server.issuer, now: now)
    let code = state.withLock {
      $0.issued[server.realm, default: .init()].grants.issueCode(
        for: request, in: session, granting: granted, now: now, lifetime: configuration.codeLifetime)
    }
    record(.accessAllowed, client: request.client.id, granted.joined(separator: " "))
    return .redirect(redirect(request.redirectURI, ["code": code], request.state, server))
  }

  func authorizationPage(for request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    switch consented(authorize(request.queryParameters, at: server), at: server) {
    case .refused(let reason): .page(MessagePage(title: "Sign-in refused", message: reason).html, status: 400)
    case .redirect(let uri): back(to: uri, from: server)
    case .consent(let id, let request):
      .page(
        ConsentPage(
          id: id, action: server.paths.consent, application: request.redirectURI, clientName: request.client.name,
          destination: target(of: request.redirectURI),
          users: server.realm == .google ? configuration.users : [configuration.user],
          suggested: suggestedUser(for: request), scopes: server.scopes.filter { request.scopes.contains($0.scope) }
        ).html,
        formTargets: ["'self'", target(of: request.redirectURI)])
    }
  }

  /// Applies the consenting user's decision immediately, if one is configured.
  private func consented(_ outcome: AuthorizationOutcome, at server: ServerProfile) -> AuthorizationOutcome {
    guard let user = configuration.consentingUser, case .consent(let id, _) = outcome else { return outcome }
    return decide(consent: id, .allow(nil, user: user), at: server)
  }

  func consentResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    // A page of another origin cannot decide for the user, even with a valid identifier.
    if let site = request.fields["Sec-Fetch-Site"], site != "same-origin" {
      return .page(
        MessagePage(title: "Refused", message: "This form did not come from the consent page.").html, status: 403)
    }
    guard let form = request.form, form.repeated.isEmpty, let id = form["consent"],
      let decision = decision(in: form, at: server)
    else {
      return .page(
        MessagePage(title: "Refused", message: "The form is malformed.").html, status: 400)
    }
    switch decide(consent: id, decision, at: server) {
    case .redirect(let uri): return back(to: uri, from: server)
    case .refused(let reason):
      return .page(
        MessagePage(title: "Sign-in refused", message: reason, application: application(in: form, at: server)).html,
        status: 400)
    case .consent: return .page(MessagePage(title: "Refused", message: "Start again.").html, status: 400)
    }
  }

  /// The user named by the login hint, or the first user.
  private func suggestedUser(for request: AuthorizationRequest) -> User {
    configuration.users.first { $0.email == request.loginHint } ?? configuration.user
  }

  /// The origin of the form's redirect URI, if it is registered.
  ///
  /// The page of a rejected request links to this origin.
  private func application(in form: Parameters, at server: ServerProfile) -> String? {
    guard let uri = form["application"], server.clients.contains(where: { $0.accepts(redirectURI: uri) }) else {
      return nil
    }
    return Origin(uri).map { "\($0)/" }
  }

  private func decision(in form: Parameters, at server: ServerProfile) -> Decision? {
    switch form["decision"] {
    case "deny": .deny
    case "allow":
      .allow(
        Set(server.scopes.map(\.scope).filter { $0 == .openID || form["scope:\($0)"] == "on" }), user: form["user"])
    default: nil
    }
  }

  /// Returns the response that sends the browser back to the application.
  private func back(to uri: String, from server: ServerProfile) -> HTTPResponse {
    guard server.dialect.postsResponses, let (target, form) = Self.posted(uri) else { return .seeOther(uri) }
    return .page(
      PostedResponsePage(target: target, parameters: FormEncoding.form.decode(form)).html,
      formTargets: [self.target(of: target)])
  }

  /// Splits a callback URL into the redirect URI and a form.
  static func posted(_ callback: String) -> (target: String, form: String)? {
    guard let mark = callback.lastIndex(of: "?") else { return nil }
    return (String(callback[..<mark]), String(callback[callback.index(after: mark)...]))
  }

  /// Returns the `form-action` source of a redirect URI: its origin, or the scheme of a private-use URI.
  ///
  /// Browsers apply `form-action` to a form's redirects too.
  private func target(of redirectURI: String) -> String {
    if let origin = Origin(redirectURI) {
      // CSP 3 § 2.3.1 has no syntax for an IPv6 address, so the source is the scheme alone.
      return origin.host.contains(":") ? "\(origin.scheme):" : origin.description
    }
    return (URL(string: redirectURI)?.scheme ?? "").lowercased() + ":"
  }
}
