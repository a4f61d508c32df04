// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Support
import Synchronization
import Timekeeping

/// The user's session at the sandbox, from authentication to sign-out.
struct UserSession: Sendable {
  /// The `sid` of the ID tokens.
  let id: String
  let user: Sandbox.User
  let authenticatedAt: Timestamp
  /// The issuer of the ID tokens.
  let issuer: String
  /// The `acr` of the ID tokens.
  let contextClass: String?
  /// The identifiers of the clients the user has signed in to.
  var clients: Set<String> = []
}

/// The requirements of an authorization request for the user's authentication.
struct RequestedAuthentication: Sendable {
  /// The maximum age of the authentication, in seconds.
  var maximumAge: Int64?
  /// The authentication context class.
  var contextClass: String?
  /// Whether the user must authenticate again.
  var isNew = false
}

extension AuthorizationServer {
  /// Reads the requirements for the user's authentication
  /// ([OpenID Connect Core § 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest), § 5.5.1.1).
  func authentication(in parameters: Parameters) throws(OAuthFault) -> RequestedAuthentication {
    var requested = RequestedAuthentication()
    if let text = parameters["max_age"] {
      guard let seconds = Int64(text), seconds >= 0 else {
        throw .invalidRequest("max_age is not a whole number of seconds.")
      }
      requested.maximumAge = seconds
    }
    requested.isNew = (parameters["prompt"] ?? "").split(separator: " ").contains("login")
    let supported = configuration.authenticationContextClasses
    let wished = (parameters["acr_values"] ?? "").split(separator: " ").map(String.init)
    requested.contextClass = wished.first(where: supported.contains)
    guard let text = parameters["claims"] else { return requested }
    guard let claims = JSONValue.members(of: Array(text.utf8)) else {
      throw .invalidRequest("claims is not a JSON object.")
    }
    guard let claim = claims["id_token"]?["acr"], claim["essential"]?.bool == true else { return requested }
    let classes = claim["values"]?.strings ?? claim["value"]?.string.map { [$0] } ?? supported
    guard let met = classes.first(where: supported.contains) else {
      // OpenID Connect Core Unmet Authentication Requirements § 3.
      throw OAuthFault("unmet_authentication_requirements", "The user cannot authenticate in the required way.")
    }
    requested.contextClass = met
    return requested
  }

  /// Returns the current session if it meets the request's requirements.
  ///
  /// Otherwise returns the session of a new authentication.
  func session(of user: User, for request: AuthorizationRequest, at issuer: String, now: Timestamp) -> UserSession {
    let requested = request.authentication
    return state.withLock { state in
      var session =
        state.sessions[user.email].flatMap { self.session($0, does: requested, now: now) ? $0 : nil }
        ?? UserSession(
          id: randomToken(), user: user, authenticatedAt: now, issuer: issuer,
          contextClass: requested.contextClass ?? configuration.authenticationContextClasses.last)
      session.clients.insert(request.client.id)
      state.sessions[user.email] = session
      return session
    }
  }

  private func session(_ session: UserSession, does requested: RequestedAuthentication, now: Timestamp) -> Bool {
    if configuration.ignoresAuthenticationRequirements { return true }
    let isRecent = requested.maximumAge.map { now <= session.authenticatedAt + .seconds($0) } ?? true
    let isInClass = requested.contextClass.map { $0 == session.contextClass } ?? true
    return isRecent && isInClass && !requested.isNew
  }
}
