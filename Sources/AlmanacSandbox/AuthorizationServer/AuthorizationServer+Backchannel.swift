// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import Support
import Synchronization
import Timekeeping

/// Client-initiated back-channel authentication in poll mode
/// ([CIBA Core](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html)).
extension AuthorizationServer {
  static let backchannelGrant = "urn:openid:params:grant-type:ciba"

  /// The back-channel authentication endpoint
  /// ([CIBA Core § 7](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#rfc.section.7)).
  func backchannelResponse(to request: HTTPRequest, at server: ServerProfile) async -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try checkedForm(of: request)
      let client = try authenticatedClient(request, form, at: server)
      // § 7.1: the client must authenticate. Public clients cannot.
      guard client.authentication != .none else {
        throw OAuthFault("unauthorized_client", "A public client cannot start a back-channel authentication.")
      }
      let entry = try await backchannelRequest(form, client, at: server)
      let (id, now) = (randomToken(), clock.now)
      state.withLock { $0.issued[server.realm, default: .init()].backchannel.add(entry, as: id, now: now) }
      record(.consentShown, client: client.id, entry.scopes.joined())
      if let user = configuration.consentingUser, user == entry.user {
        _ = decide(userCode: entry.userCode, .allow(nil), in: \.backchannel, at: server)
      }
      return .json([
        "auth_req_id": .string(id), "expires_in": .integer((entry.expires - now).components.seconds),
        "interval": .integer(entry.interval.components.seconds),
      ])
    } catch {
      record(.authorizationRefused, error.error)
      return .oauthError(error)
    }
  }

  /// Checks an authenticated client's request (§ 7.2).
  private func backchannelRequest(
    _ form: Parameters, _ client: Client, at server: ServerProfile
  ) async throws(OAuthFault) -> DeviceStore.Request {
    // § 7.1.1: the metadata advertises no signing algorithm.
    guard form["request"] == nil else { throw .invalidRequest("Signed authentication requests are not supported.") }
    let scopes = try scopes(asked: form["scope"], client, at: server)
    guard scopes.contains(.openID) else { throw .invalidScope("The scope openid is required.") }
    let user = try await hintedUser(form, at: server)
    if let message = form["binding_message"] {
      guard message.count <= 100, !message.unicodeScalars.contains(where: \.isControl) else {
        throw OAuthFault(
          "invalid_binding_message", "binding_message is longer than 100 characters or has control characters.")
      }
    }
    var lifetime = configuration.backchannelRequestLifetime
    if let text = form["requested_expiry"] {
      guard let seconds = Int64(text), seconds > 0 else {
        throw .invalidRequest("requested_expiry is not a positive number of seconds.")
      }
      lifetime = min(lifetime, .seconds(seconds))
    }
    return DeviceStore.Request(
      client, scopes: scopes, userCode: randomToken(), user: user.email, bindingMessage: form["binding_message"],
      expires: clock.now + lifetime, interval: configuration.backchannelPollingInterval)
  }

  /// Returns the user identified by the request's only hint (§ 7.1).
  private func hintedUser(_ form: Parameters, at server: ServerProfile) async throws(OAuthFault) -> User {
    let hints = ["login_hint", "id_token_hint", "login_hint_token"].filter { form[$0] != nil }
    guard hints.count == 1 else {
      throw .invalidRequest("Exactly one of login_hint, id_token_hint and login_hint_token is required.")
    }
    if let hint = form["login_hint"] {
      let name = hint.lowercased()
      if let user = configuration.users.first(where: { $0.email == name || $0.subject == hint }) { return user }
    } else if let token = form["id_token_hint"] {
      let (_, subject) = try await parties(inHint: token, from: server)
      if let user = configuration.users.first(where: { $0.subject == subject }) { return user }
    } else {
      throw .invalidRequest("login_hint_token is not supported.")
    }
    throw OAuthFault("unknown_user_id", "The hint does not identify a user.")
  }

  /// Issues tokens to a polling client
  /// ([CIBA Core §
  /// 10.1](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#token_request)).
  func redeemBackchannelRequest(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    guard let id = form["auth_req_id"] else { throw .invalidRequest("auth_req_id is required.") }
    let (now, uptime) = (clock.now, clock.uptime)
    let outcome = state.withLock {
      $0.issued[server.realm, default: .init()].backchannel.poll(id, clientID: client.id, now: now, uptime: uptime)
    }
    switch outcome {
    case .granted(let scopes, let user):
      record(.codeRedeemed, client: client.id, scopes.joined())
      return issue(
        to: client, user: user, scopes: scopes, boundTo: keyThumbprint,
        withRefreshToken: configuration.issuesRefreshTokens, at: server)
    // § 11.
    case .pending: throw OAuthFault("authorization_pending", "The user has not decided yet.")
    case .slowDown: throw OAuthFault("slow_down", "The client polls too often. Wait five seconds longer.")
    case .denied: throw OAuthFault("access_denied", "The user denied access.")
    case .expired: throw OAuthFault("expired_token", "The auth_req_id has expired.")
    case .unknown: throw .invalidGrant("The auth_req_id is unknown, used, or was issued to another client.")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    properties.generalCategory == .control || properties.generalCategory == .lineSeparator
  }
}

extension AuthorizationServer {
  /// The requests that await a user's decision.
  var backchannelRequests: [Sandbox.BackchannelRequest] {
    let now = clock.now
    return state.withLock { $0.issued[.google]?.backchannel.open(now: now) ?? [] }.map {
      Sandbox.BackchannelRequest(
        id: $0.userCode, clientID: $0.client.id, user: $0.user ?? configuration.user.email, scopes: $0.scopes,
        bindingMessage: $0.bindingMessage)
    }
  }
}
