// SPDX-License-Identifier: Apache-2.0

import AppFlip
import HTTPTransport
import JSONCoding
import PlatformFoundation
import Support
import Synchronization
import Timekeeping

/// A fully checked authorization request.
struct AuthorizationRequest: Sendable {
  let client: Sandbox.Client
  let redirectURI: String
  let state: String?
  let scopes: [Scope]
  /// The PKCE code challenge.
  ///
  /// Without one, only the client's secret protects the code.
  let codeChallenge: String?
  let nonce: String?
  /// The services the token is for.
  let resources: [String]
  /// The authorization details.
  let details: [JSONValue]
  /// The e-mail address of the user expected by the client (OpenID Connect Core § 3.1.2.1).
  let loginHint: String?
  /// The requirements for the user's authentication.
  let authentication: RequestedAuthentication
  /// The thumbprint of the key for redeeming the code (RFC 9449 § 10), or `nil` if the request names none.
  let keyThumbprint: String?
  /// Whether a refresh token is requested.
  let isOffline: Bool
}

/// The outcome of an authorization request or consent.
enum AuthorizationOutcome {
  /// The server rejects the request without a redirect: the client, its redirect URI or a referenced request is not valid.
  case refused(String)
  /// The server redirects the browser to the application.
  case redirect(String)
  /// The server asks the user for consent. The identifier can be used once.
  case consent(id: String, AuthorizationRequest)
}

extension AuthorizationServer {
  /// Checks an authorization request ([RFC 6749 § 4.1.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.1)).
  ///
  /// If it is valid, stores it until the user decides.
  func authorize(_ parameters: Parameters, at server: ServerProfile) -> AuthorizationOutcome {
    do throws(OAuthFault) {
      let (parameters, isPushed, isSigned) = try resolved(parameters, at: server)
      return authorize(parameters, isPushed: isPushed, isSigned: isSigned, at: server)
    } catch {
      record(.authorizationRefused, client: parameters["client_id"], error.error)
      return .refused(error.description)
    }
  }

  private func authorize(
    _ parameters: Parameters, isPushed: Bool, isSigned: Bool, at server: ServerProfile
  ) -> AuthorizationOutcome {
    // RFC 6749 § 4.1.2.1: without a known client and redirect URI there is no redirect.
    let state = parameters["state"]
    let flip = appFlip(at: server).decision(clientID: parameters["client_id"], redirectURI: parameters["redirect_uri"])
    if case .invalidRequest(let invalid) = flip {
      let fault = OAuthFault.invalidRequest("The client is not linked for App Flip.")
      record(.authorizationRefused, "App Flip, client not linked")
      return .redirect(redirect(invalid.uri, fault, state, server))
    }
    guard let clientID = parameters["client_id"],
      let client = server.clients.first(where: { $0.id == clientID })
    else {
      record(.authorizationRefused, "unknown client")
      return .refused("The application that sent you here is not registered.")
    }
    guard let redirectURI = parameters["redirect_uri"], flip != .notAppFlip || client.accepts(redirectURI: redirectURI)
    else {
      record(.authorizationRefused, client: client.id, "redirect URI not registered")
      return .refused("The application asked to send you back to a URL that is not registered for it.")
    }
    do throws(OAuthFault) {
      // RFC 9126 § 5, RFC 9101 § 10.5.
      guard isPushed || !configuration.requiresPushedAuthorizationRequests else {
        throw .invalidRequest("The request must be pushed.")
      }
      guard isSigned || !client.requiresSignedRequests else { throw .invalidRequest("The request must be signed.") }
      let request = try checkedRequest(parameters, client, redirectURI, flip, at: server)
      let id = randomToken()
      let (now, lifetime) = (clock.now, configuration.consentLifetime)
      self.state.withLock {
        $0.issued[server.realm, default: .init()].consents.add(request, for: id, until: now + lifetime, now: now)
      }
      record(.consentShown, client: client.id, request.scopes.joined())
      return .consent(id: id, request)
    } catch {
      record(.authorizationRefused, client: client.id, error.error)
      return .redirect(redirect(redirectURI, error, state, server))
    }
  }

  /// Checks a request whose client and redirect URI are known.
  func checkedRequest(
    _ parameters: Parameters, _ client: Client, _ redirectURI: String, _ flip: AppFlipEndpointPolicy.Decision,
    at server: ServerProfile
  ) throws(OAuthFault) -> AuthorizationRequest {
    // RFC 8707 § 2: a resource may be repeated.
    if let name = parameters.repeated.subtracting(["resource"]).sorted().first {
      throw .invalidRequest("The parameter \(name.asDescription) is repeated.")
    }
    try checkForm(of: parameters, server.dialect)
    return AuthorizationRequest(
      client: client, redirectURI: redirectURI, state: parameters["state"],
      scopes: try scopes(asked: parameters["scope"], client, at: server),
      codeChallenge: server.dialect.checksPKCE ? try codeChallenge(parameters, client, flip) : nil,
      nonce: parameters["nonce"],
      resources: try resources(in: parameters, at: server), details: try details(in: parameters),
      loginHint: parameters["login_hint"], authentication: try authentication(in: parameters),
      keyThumbprint: try keyThumbprint(in: parameters),
      isOffline: server.dialect.offlineParameter.map { parameters[$0.name] == $0.value } ?? true)
  }

  /// The services a token is for ([RFC 8707 § 2](https://www.rfc-editor.org/rfc/rfc8707.html#section-2)).
  func resources(in parameters: Parameters, at server: ServerProfile) throws(OAuthFault) -> [String] {
    let names = parameters.values(for: "resource")
    guard names.allSatisfy(server.resources.contains) else {
      throw OAuthFault("invalid_target", "A resource is unknown.")
    }
    return names
  }

  /// The thumbprint of the key bound to the code
  /// ([RFC 9449 § 10](https://www.rfc-editor.org/rfc/rfc9449.html#section-10)).
  private func keyThumbprint(in parameters: Parameters) throws(OAuthFault) -> String? {
    guard let thumbprint = parameters["dpop_jkt"], configuration.proofs?.ignoresProofs == false else { return nil }
    guard thumbprint.utf8.count == 43, thumbprint.utf8.allSatisfy(\.isBase64URL) else {
      throw .invalidRequest("dpop_jkt is not the SHA-256 thumbprint of a key.")
    }
    return thumbprint
  }

  /// The authorization details of the request ([RFC 9396 § 5](https://www.rfc-editor.org/rfc/rfc9396.html#section-5)).
  private func details(in parameters: Parameters) throws(OAuthFault) -> [JSONValue] {
    guard let text = parameters["authorization_details"] else { return [] }
    let details = (try? JSONValue(json: Array(text.utf8)))?.array
    guard let details,
      details.allSatisfy({
        guard case .object(let members) = $0, case .string(let type)? = members["type"] else { return false }
        return configuration.authorizationDetailsTypes.contains(type)
      })
    else {
      throw OAuthFault("invalid_authorization_details", "The details are malformed or of an unsupported type.")
    }
    return details
  }

  private func checkForm(of parameters: Parameters, _ dialect: Dialect) throws(OAuthFault) {
    guard let responseType = parameters["response_type"] else { throw .invalidRequest("response_type is missing.") }
    guard responseType == "code" else {
      throw OAuthFault("unsupported_response_type", "Only response_type=code is supported.")
    }
    let mode = dialect.postsResponses ? "form_post" : "query"
    guard parameters["response_mode"] ?? "query" == mode else {
      throw .invalidRequest("Only response_mode=\(mode) is supported.")
    }
    // OpenID Connect Core § 6.1, § 6.2.
    if parameters["request"] != nil { throw OAuthFault("request_not_supported", "Request objects are not supported.") }
    if parameters["request_uri"] != nil {
      throw OAuthFault("request_uri_not_supported", "Request objects are not supported.")
    }
    let prompts = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
    guard prompts.isSubset(of: ["none", "login", "consent", "select_account"]),
      !prompts.contains("none") || prompts.count == 1
    else { throw .invalidRequest("prompt has an unknown value, or combines none with another value.") }
    // OpenID Connect Core § 3.1.2.6: the server always shows a page, except if the configuration names a consenting user.
    if prompts.contains("none"), configuration.consentingUser == nil {
      throw OAuthFault("interaction_required", "User interaction is required.")
    }
  }

  /// Returns the requested scopes, or the server's default if the request names none.
  func scopes(
    asked: String?, _ client: Client, at server: ServerProfile
  ) throws(OAuthFault) -> [Scope] {
    guard let asked = asked ?? server.defaultScope else { throw .invalidScope("scope is missing.") }
    let names = asked.components(separatedBy: server.dialect.scopeSeparator).map { Scope($0) }
    let known = Set(server.scopes.map(\.scope))
    guard names.allSatisfy(known.contains) else { throw .invalidScope("A scope is unknown.") }
    return client.granted(names)
  }

  /// The policy for App Flip redirects of clients linked with Google.
  private func appFlip(at server: ServerProfile) -> AppFlipEndpointPolicy {
    AppFlipEndpointPolicy(
      registrations: server.clients.map { AppFlipRegistration(clientID: $0.id, redirects: $0.appFlipRedirects) })
  }

  private func codeChallenge(
    _ parameters: Parameters, _ client: Client, _ flip: AppFlipEndpointPolicy.Decision
  ) throws(OAuthFault) -> String? {
    guard let challenge = parameters["code_challenge"] else {
      let isOptional = flip != .notAppFlip || client.googleBehaviors.contains(.optionalPKCE)
      if isOptional, client.authentication != .none, parameters["code_challenge_method"] == nil { return nil }
      throw .invalidRequest("code_challenge is missing. PKCE is required.")
    }
    // RFC 7636 § 4.3: without a method, the default is plain.
    guard parameters["code_challenge_method"] == "S256" else {
      throw .invalidRequest("code_challenge_method must be S256.")
    }
    guard challenge.utf8.count == 43, challenge.utf8.allSatisfy(\.isBase64URL) else {
      throw .invalidRequest("code_challenge is not a SHA-256 digest in Base64URL.")
    }
    return challenge
  }

  private func redirect(
    _ uri: String, _ fault: OAuthFault, _ state: String?, _ server: ServerProfile
  ) -> String {
    redirect(uri, ["error": fault.error, "error_description": fault.description], state, server)
  }

  /// Returns the callback URL.
  ///
  /// Every response includes the state, and the issuer (RFC 9207 § 2) if the server sends it.
  func redirect(
    _ uri: String, _ parameters: KeyValuePairs<String, String>, _ state: String?, _ server: ServerProfile
  ) -> String {
    var fields = FormFields()
    for (name, value) in parameters { fields.append(name, value) }
    fields["state"] = state
    if server.dialect.namesItself { fields.append("iss", server.issuer) }
    return uri + (uri.contains("?") ? "&" : "?") + FormEncoding.form.encode(fields)
  }
}

extension Sandbox.Client {
  /// Returns the granted scopes under the server's names for this client, without duplicates.
  func granted(_ names: [Scope]) -> [Scope] {
    var names = names
    if googleBehaviors.contains(.longScopeNames) {
      names = names.map { Sandbox.OfferedScope.longNames[$0] ?? $0 }
      if names.contains(where: Sandbox.OfferedScope.longNames.values.contains) { names.append(.openID) }
    }
    return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension String {
  /// RFC 6749 § 4.1.2.1: an error description holds printable ASCII without quotation mark and backslash.
  fileprivate var asDescription: String {
    String(decoding: utf8.prefix(40).filter { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isBase64URL: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
