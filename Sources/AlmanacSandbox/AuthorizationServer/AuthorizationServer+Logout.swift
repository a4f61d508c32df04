// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import Support
import Synchronization

/// A fully checked sign-out request
/// ([OpenID Connect RP-Initiated Logout § 2](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout)).
struct LogoutRequest {
  let client: Sandbox.Client?
  /// The e-mail address of the user identified by the ID token hint, or `nil`.
  let user: String?
  /// The redirect URI after sign-out, including `state`.
  let redirectURI: String?
  /// Whether the user must confirm: no ID token hint identifies them.
  let needsConfirmation: Bool
}

extension AuthorizationServer {
  /// Handles a request to the end-session endpoint.
  func logoutResponse(to request: HTTPRequest, at server: ServerProfile) async -> HTTPResponse {
    guard let parameters = request.method == .post ? request.form : request.queryParameters else {
      return .page(MessagePage(title: "Refused", message: "The body must be a form.").html, status: 400)
    }
    do throws(OAuthFault) {
      let logout = try await logoutRequest(parameters, at: server)
      // A page of another origin cannot confirm for the user.
      let isConfirmed =
        request.method == .post && parameters["confirmed"] == "yes"
        && request.fields["Sec-Fetch-Site"] ?? "same-origin" == "same-origin"
      if logout.needsConfirmation, !isConfirmed {
        return .page(
          LogoutPage(action: Path.logout, clientName: logout.client?.name, parameters: parameters).html,
          formTargets: ["'self'"] + (logout.redirectURI.flatMap { Origin($0)?.description }.map { [$0] } ?? []))
      }
      await endUserSession(of: logout.user)
      guard let redirectURI = logout.redirectURI else {
        return .page(MessagePage(title: "Signed out", message: "You are signed out.").html)
      }
      return .seeOther(redirectURI)
    } catch {
      return .page(MessagePage(title: "Not signed out", message: error.description).html, status: 400)
    }
  }

  func logoutRequest(_ parameters: Parameters, at server: ServerProfile) async throws(OAuthFault) -> LogoutRequest {
    guard parameters.repeated.isEmpty else { throw .invalidRequest("A parameter is repeated.") }
    var clientID = parameters["client_id"]
    var user: String?
    if let hint = parameters["id_token_hint"] {
      let (audience, subject) = try await parties(inHint: hint, from: server)
      user = configuration.users.first { $0.subject == subject }?.email
      guard clientID ?? audience == audience else {
        throw .invalidRequest("The ID token belongs to another application.")
      }
      clientID = audience
    }
    let client = clientID.flatMap { id in server.clients.first { $0.id == id } }
    guard clientID == nil || client != nil else { throw .invalidRequest("The application is not registered.") }
    var redirectURI: String?
    if let requested = parameters["post_logout_redirect_uri"] {
      // § 3: only URIs that the client registered are allowed.
      guard let client, client.postLogoutRedirectURIs.contains(requested) else {
        throw .invalidRequest("The application asked to send you to a URL that is not registered for it.")
      }
      var fields = FormFields()
      fields["state"] = parameters["state"]
      let separator = fields.isEmpty ? "" : requested.contains("?") ? "&" : "?"
      redirectURI = requested + separator + FormEncoding.form.encode(fields)
    }
    return LogoutRequest(client: client, user: user, redirectURI: redirectURI, needsConfirmation: user == nil)
  }

  /// Returns the client of an ID token of this server, and the token's subject.
  ///
  /// Accepts an expired token (§ 2).
  func parties(
    inHint hint: String, from server: ServerProfile
  ) async throws(OAuthFault) -> (audience: String, subject: String) {
    guard let key = try? await signingKey.key().publicJWK, let jws = try? JWS(compact: hint),
      // A set also compares the header's `kid`, if there is one. Another sandbox has another key.
      let payload = try? jws.payload(verifiedWith: JWKSet([key]), allowing: [configuration.idTokenAlgorithm]),
      let claims = JSONValue.members(of: payload), claims["iss"] == .string(server.issuer),
      let audience = claims["aud"]?.string, let subject = claims["sub"]?.string
    else { throw .invalidRequest("The ID token was not issued by this server.") }
    return (audience, subject)
  }
}
