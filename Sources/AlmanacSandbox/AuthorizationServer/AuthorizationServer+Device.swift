// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import Support
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// Handles a request to the device authorization endpoint
  /// ([RFC 8628 § 3.1](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.1)).
  func deviceAuthorizationResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try checkedForm(of: request)
      let client = try authenticatedClient(request, form, at: server)
      let scopes = try scopes(asked: form["scope"], client, at: server)
      let (deviceCode, userCode, now) = (randomToken(), DeviceStore.makeUserCode(), clock.now)
      let (lifetime, interval) = (configuration.deviceCodeLifetime, configuration.devicePollingInterval)
      state.withLock {
        $0.issued[server.realm, default: .init()].devices.add(
          .init(
            client, scopes: scopes, userCode: userCode, expires: now + lifetime, interval: interval),
          as: deviceCode, now: now)
      }
      if let user = configuration.consentingUser {
        _ = decide(userCode: userCode, .allow(nil, user: user), in: \.devices, at: server)
      }
      let page = issuer(for: request.url) + Path.device
      return .json([
        "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string(page),
        "verification_uri_complete": .string("\(page)?user_code=\(userCode)"),
        "expires_in": .integer(lifetime.components.seconds), "interval": .integer(interval.components.seconds),
      ])
    } catch {
      return .oauthError(error)
    }
  }

  /// Issues tokens for a device code ([RFC 8628 § 3.4](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.4)).
  func redeemDeviceCode(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    guard let code = form["device_code"] else { throw .invalidRequest("device_code is required.") }
    let (now, uptime) = (clock.now, clock.uptime)
    let outcome = state.withLock {
      $0.issued[server.realm, default: .init()].devices.poll(code, clientID: client.id, now: now, uptime: uptime)
    }
    switch outcome {
    case .granted(let scopes, let user):
      let issued = issue(
        to: client, user: user, scopes: scopes, boundTo: keyThumbprint,
        withRefreshToken: configuration.issuesRefreshTokens,
        at: server)
      record(.codeRedeemed, client: client.id, scopes.joined())
      return issued
    case .pending: throw OAuthFault("authorization_pending", "The user has not decided yet.")
    case .slowDown: throw OAuthFault("slow_down", "The client polls too often. Wait five seconds longer.")
    case .denied: throw OAuthFault("access_denied", "The user denied access.")
    case .expired: throw OAuthFault("expired_token", "The device code has expired.")
    case .unknown: throw .invalidGrant("The device code is unknown, used, or was issued to another client.")
    }
  }

  /// Applies the user's decision on a sign-in of another device.
  ///
  /// - Parameters:
  ///   - userCode: The user code of the sign-in.
  ///   - store: The store of the sign-in.
  /// - Returns: Whether the code belongs to an open sign-in.
  func decide(
    userCode: String, _ decision: Decision, in store: any WritableKeyPath<Issued, DeviceStore> & Sendable,
    at server: ServerProfile
  ) -> Bool {
    let now = clock.now
    var user: String?
    if case .allow(_, let email) = decision { user = configuration.users.first { $0.email == email }?.email }
    let (found, isOpen) = state.withLock { [user] state -> (DeviceStore.Request?, Bool) in
      let devices = state.issued[server.realm, default: .init()][keyPath: store]
      guard let found = devices.request(userCode: userCode, now: now) else { return (nil, false) }
      let isOpen = state.issued[server.realm, default: .init()][keyPath: store].decide(
        userCode: userCode, granting: found.granted(by: decision), as: user, now: now)
      return (found, isOpen)
    }
    guard let found, isOpen else { return false }
    let granted = found.granted(by: decision)
    record(granted.isEmpty ? .accessDenied : .accessAllowed, client: found.client.id, granted.joined(separator: " "))
    return true
  }

  /// Returns the page on which the user enters the code and decides.
  func devicePage(for request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    let form = request.method == .post ? request.form : request.queryParameters
    guard let form, form.repeated.isEmpty, request.isFromSamePage else {
      return .page(MessagePage(title: "Refused", message: "Enter the code again.").html, status: 400)
    }
    guard let code = form["user_code"].map(DeviceStore.normalized) else {
      return .page(DevicePage(found: nil).html, formTargets: ["'self'"])
    }
    let now = clock.now
    guard let found = state.withLock({ $0.issued[server.realm]?.devices.request(userCode: code, now: now) }) else {
      let message = "The code is unknown, was used, or has expired. Start again on the device."
      return .page(MessagePage(title: "Unknown code", message: message).html, status: 400)
    }
    guard request.method == .post, let decision = form["decision"] else {
      return .page(DevicePage(found: found).html, formTargets: ["'self'"])
    }
    guard decide(userCode: code, decision == "allow" ? .allow(nil) : .deny, in: \.devices, at: server) else {
      return .page(MessagePage(title: "Unknown code", message: "Start again on the device.").html, status: 400)
    }
    let message = decision == "allow" ? "The device is signed in." : "The device is not signed in."
    return .page(MessagePage(title: "Done", message: message + " You can close this page.").html)
  }
}

extension DeviceStore.Request {
  fileprivate func granted(by decision: AuthorizationServer.Decision) -> [Scope] {
    switch decision {
    case .deny: []
    case .allow(let chosen, _):
      scopes.filter { scope in chosen.map { client.granted(Array($0)).contains(scope) } ?? true }
    }
  }
}

extension HTTPRequest {
  /// Whether no other origin's page sent the form.
  fileprivate var isFromSamePage: Bool {
    method != .post || fields["Sec-Fetch-Site"].map { $0 == "same-origin" } ?? true
  }
}
