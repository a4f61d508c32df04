// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
import PlatformFoundation
import Timekeeping
public import TokenStore

extension OAuthClient {
  /// Begins a sign-in on another device, for programs without a browser
  /// ([RFC 8628 § 3.1](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.1)).
  ///
  /// - Parameters:
  ///   - scopes: The scopes to request.
  ///   - parameters: Further parameters of the request. They cannot replace those of the request itself.
  /// - Returns: The codes and URLs to show to the user. Pass the value to ``completeDeviceAuthorization(_:)``.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/unsupported`` if the server has no device authorization
  ///   endpoint, or the parameters contain enforced authentication requirements
  ///   (``AuthenticationRequirement/isEnforced``). Also `TransportError` and `CancellationError`.
  public func beginDeviceAuthorization(
    scopes: [Scope], parameters: AuthorizationParameters = [:]
  ) async throws -> DeviceAuthorization {
    guard let endpoint = server.deviceAuthorizationEndpoint else {
      throw OAuthError(.unsupported, "\(server.name) has no device authorization endpoint. Sign in through a browser.")
    }
    guard !parameters.authentication.isEnforced else {
      throw OAuthError(
        .unsupported,
        "A sign-in on another device does not support authentication requirements. Sign in through a browser.")
    }
    // § 3.1 requires the identifier only if the client does not authenticate, but some servers always require it.
    var form: FormFields = ["client_id": registration.clientID]
    form[provider.quirks.deviceScopeParameter ?? "scope"] = parameter(for: scopes)
    try form.append(parameters)
    let response = try await post(form, to: endpoint)
    return try DeviceAuthorization(
      response, from: endpoint, scopes: scopes, resources: parameters.resources, proofKey: try await makeProofKey(),
      issuer: server.issuer, now: clock.now)
  }

  /// Polls for the tokens until the user has decided
  /// ([RFC 8628 § 3.4](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.4)).
  ///
  /// It waits for the interval before each request. Each `slow_down` response adds five seconds to the interval. Consecutive transient
  /// failures of the network or the server double the wait each time, up to one minute. A response without an OAuth error, such as a
  /// proxy's, doubles the wait too. The sixth such response in a row ends the sign-in.
  ///
  /// The method throws as soon as the next request would be after the deadline, and immediately when the current task is cancelled. After a
  /// cancellation, it can be called again with the same value.
  ///
  /// - Parameter device: The value returned by ``beginDeviceAuthorization(scopes:parameters:)``.
  /// - Returns: The tokens. Their `scopes` may be fewer than those requested.
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/accessDenied`` if the user denied access, or with code
  ///   ``OAuthError/Code/signInTimedOut`` if the user took too long. Also `TransportError` for a permanent failure, and
  ///   `CancellationError`.
  public func completeDeviceAuthorization(_ device: DeviceAuthorization) async throws -> StoredToken {
    try await approval(of: device) { try await requestToken(for: device) }
  }

  private func parameter(for scopes: [Scope]) -> String? {
    scopes.isEmpty ? nil : scopes.joined(separator: provider.quirks.scopeSeparator)
  }

  /// Sends one token request for a device.
  ///
  /// - Parameter prepare: Called directly before the request is sent.
  func requestToken(
    for device: DeviceAuthorization, preparedBy prepare: @Sendable (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> StoredToken {
    var form: FormFields = [
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device.deviceCode.reveal(),
    ]
    if let name = provider.quirks.deviceScopeParameter { form[name] = parameter(for: device.scopes) }
    // RFC 8707 § 2.2.
    for resource in device.resources { form.append("resource", resource.absoluteString) }
    let response = try await requestToken(form, provenBy: device.proofKey, preparedBy: prepare)
    var stored = response.stored(requestedScopes: device.scopes, by: self)
    stored.requestedScopes = device.scopes
    stored.resources = device.resources.map(\.absoluteString)
    return stored
  }

  /// Repeats `request` until it returns a result or throws an error that ends the authorization.
  ///
  /// - Throws: The errors of ``completeDeviceAuthorization(_:)`` and of `request`.
  func approval<Result>(of device: DeviceAuthorization, _ request: () async throws -> Result) async throws -> Result {
    guard ServerMetadata.isSameIssuer(device.issuer, server.issuer) else {
      throw OAuthError(
        .issuerMismatch,
        "The authorization began at \(OAuthError.printable(device.issuer, limit: 200)), which is not this client's server, \(server.name). Complete it with the client that began it."
      )
    }
    var polling = DevicePolling(interval: device.interval)
    // The deadline is a time of the wall clock, since the value can outlive the process. From here on, changes of the wall clock have no
    // effect.
    let end = clock.uptime + min(device.deadline - clock.now, device.lifetime)
    while true {
      guard polling.wait <= end - clock.uptime else { throw OAuthError.deviceCodeExpired(nil) }
      try await clock.sleep(for: polling.wait)
      do {
        return try await request()
      } catch {
        try polling.proceed(after: error)
      }
    }
  }
}

/// The wait before the next token request for a device
/// ([RFC 8628 § 3.5](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.5)).
struct DevicePolling {
  private var interval: Duration
  private(set) var wait: Duration
  /// The number of responses without an OAuth error in a row.
  private var unexplained = 0

  init(interval: Duration) {
    self.interval = interval
    wait = interval
  }

  /// Sets the wait after a failed token request.
  ///
  /// - Throws: An error if the authorization has ended.
  mutating func proceed(after error: any Error) throws {
    let isUnexplained = (error as? OAuthError)?.isUnexplained == true
    defer { unexplained = isUnexplained ? unexplained + 1 : 0 }
    switch (error, (error as? OAuthError)?.serverCode) {
    case (_, "authorization_pending"):
      wait = interval
    case (_, "slow_down"):
      interval += .seconds(5)
      wait = interval
    case (let error as OAuthError, let code?) where ServerErrorCode.denials.contains(code):
      throw OAuthError(
        .accessDenied, "The user denied access. To continue, sign in again and allow access.",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    case (let error as OAuthError, let code?) where ServerErrorCode.expiredDeviceCodes.contains(code):
      throw OAuthError.deviceCodeExpired(error)
    case (let error as OAuthError, _) where error.code == .serverUnavailable:
      backOff()
    case (let error as TransportError, _) where error.mayPass:
      backOff()
    // A wrong endpoint always sends such a response. A proxy sends it temporarily.
    case _ where isUnexplained && unexplained < 5:
      backOff()
    default:
      throw error
    }
  }

  private mutating func backOff() { wait = max(interval, min(wait * 2, .seconds(60))) }
}

extension OAuthError {
  fileprivate static func deviceCodeExpired(_ error: OAuthError?) -> OAuthError {
    OAuthError(
      .signInTimedOut, "The sign-in took longer than allowed. Start it again.", serverCode: error?.serverCode,
      serverDescription: error?.serverDescription)
  }
}

extension TransportError {
  /// Whether the same request can succeed later, since a device's network can be interrupted.
  fileprivate var mayPass: Bool { [.unreachable, .connectionLost, .timedOut, .truncated].contains(code) }
}
