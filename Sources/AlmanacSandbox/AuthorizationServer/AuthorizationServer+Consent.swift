// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AuthorizationServer {
  /// What the user chose.
  enum Decision {
    /// Everything requested, or only some of it, as the user of an e-mail address or the one that is suggested.
    case allow(Set<String>?, user: String? = nil)
    case deny
  }

  /// Carries out the user's decision on a consent that was shown.
  func decide(consent id: String, _ decision: Decision, at server: ServerProfile) -> AuthorizationOutcome {
    let now = clock.now
    guard let request = state.withLock({ $0.issued[server.realm, default: .init()].consents.take(id, now: now) }) else {
      record(.authorizationRefused, "consent unknown, used already or expired")
      return .refused(
        "This consent was used already or has expired. Go back to the application, and start again there.")
    }
    var granted: [String] = []
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
    case .redirect(let address): back(to: address, from: server)
    case .consent(let id, let request):
      .page(
        ConsentPage(
          id: id, action: server.paths.consent, application: request.redirectURI, clientName: request.client.name,
          destination: target(of: request.redirectURI),
          users: server.realm == .google ? configuration.users : [configuration.user],
          suggested: suggestedUser(for: request), scopes: server.scopes.filter { request.scopes.contains($0.name) }
        ).html,
        formTargets: ["'self'", target(of: request.redirectURI)])
    }
  }

  /// Decides at once where a user allows every request.
  private func consented(_ outcome: AuthorizationOutcome, at server: ServerProfile) -> AuthorizationOutcome {
    guard let user = configuration.consentingUser, case .consent(let id, _) = outcome else { return outcome }
    return decide(consent: id, .allow(nil, user: user), at: server)
  }

  func consentResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    // A page of another origin cannot decide for the user, even if it knows an identifier.
    if let site = request.fields["Sec-Fetch-Site"], site != "same-origin" {
      return .page(
        MessagePage(title: "Refused", message: "This form did not come from the consent page.").html, status: 403)
    }
    guard let form = request.form, form.repeated.isEmpty, let id = form["consent"],
      let decision = decision(in: form, at: server)
    else {
      return .page(
        MessagePage(title: "Refused", message: "This form is not one that the consent page sends.").html, status: 400)
    }
    switch decide(consent: id, decision, at: server) {
    case .redirect(let address): return back(to: address, from: server)
    case .refused(let reason):
      return .page(
        MessagePage(title: "Sign-in refused", message: reason, application: application(in: form, at: server)).html,
        status: 400)
    case .consent: return .page(MessagePage(title: "Refused", message: "Start again.").html, status: 400)
    }
  }

  /// The user that the client expects, or else the first.
  private func suggestedUser(for request: AuthorizationRequest) -> User {
    configuration.users.first { $0.email == request.loginHint } ?? configuration.user
  }

  /// The application to go back to from a consent that is no longer known: the origin of a redirect URI that is registered.
  private func application(in form: Parameters, at server: ServerProfile) -> String? {
    guard let address = form["application"], server.clients.contains(where: { $0.accepts(redirectURI: address) }) else {
      return nil
    }
    return Origin(address).map { "\($0)/" }
  }

  private func decision(in form: Parameters, at server: ServerProfile) -> Decision? {
    switch form["decision"] {
    case "deny": .deny
    case "allow":
      .allow(
        Set(server.scopes.map(\.name).filter { $0 == "openid" || form["scope:\($0)"] == "on" }), user: form["user"])
    default: nil
    }
  }

  /// The response that sends the browser back to the application.
  private func back(to address: String, from server: ServerProfile) -> HTTPResponse {
    guard server.dialect.postsResponses, let (target, form) = Self.posted(address) else { return .seeOther(address) }
    return .page(
      PostedResponsePage(target: target, parameters: FormEncoding.form.decode(form)).html,
      formTargets: [self.target(of: target)])
  }

  /// Takes a callback apart into the redirect URI and a form.
  static func posted(_ address: String) -> (target: String, form: String)? {
    guard let mark = address.lastIndex(of: "?") else { return nil }
    return (String(address[..<mark]), String(address[address.index(after: mark)...]))
  }

  /// Where the response goes: an origin, or the scheme of an application's own redirect URI.
  ///
  /// Browsers hold a form's redirects against `form-action` too.
  private func target(of redirectURI: String) -> String {
    if let origin = Origin(redirectURI) {
      // CSP 3 § 2.3.1 has no way to write an IPv6 address, so only the scheme can be named.
      return origin.host.contains(":") ? "\(origin.scheme):" : origin.description
    }
    return (URL(string: redirectURI)?.scheme ?? "").lowercased() + ":"
  }
}
