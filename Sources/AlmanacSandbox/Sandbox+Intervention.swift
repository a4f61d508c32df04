// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
public import PlatformFoundation
import Synchronization

extension Sandbox {
  /// Opens an authorization URL and allows access, as the user would in the browser.
  ///
  /// The request passes all checks of the server, and the consent form is sent once.
  ///
  /// - Parameters:
  ///   - authorizationURL: The URL opened by the application in the browser.
  ///   - scopes: The scopes selected by the user. Defaults to all requested scopes.
  ///   - user: The e-mail address of the user who signs in, if there are several. Defaults to the user in the request's login
  ///     hint, or else the first.
  /// - Returns: The callback URL, with a code or an error.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of redirecting to the application, or if there is
  ///   no such user.
  public func approve(
    _ authorizationURL: URL, granting scopes: Set<Scope>? = nil, as user: String? = nil
  ) throws -> URL {
    try decide(authorizationURL, .allow(scopes, user: try known(user)))
  }

  /// Opens an authorization URL and denies access, as the user would in the browser.
  ///
  /// - Parameter authorizationURL: The URL opened by the application in the browser.
  /// - Returns: The callback URL, with an error.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of redirecting to the application.
  public func deny(_ authorizationURL: URL) throws -> URL { try decide(authorizationURL, .deny) }

  private func decide(_ authorizationURL: URL, _ decision: AuthorizationServer.Decision) throws -> URL {
    let parameters = Parameters(authorizationURL.query(percentEncoded: true) ?? "")
    let server = authorization.profile(for: authorizationURL)
    var outcome = authorization.authorize(parameters, at: server)
    if case .consent(let id, _) = outcome {
      outcome = authorization.decide(consent: id, decision, at: server)
    }
    switch outcome {
    case .redirect(let uri):
      guard let callback = URL(string: uri) else {
        throw SandboxError("The redirect URI is not a URL. Register another URI for the client.")
      }
      return callback
    case .refused(let reason): throw SandboxError(reason)
    case .consent: throw SandboxError("The form of the consent page was not sent.")
    }
  }

  /// Returns the user's e-mail address, if there is such a user.
  private func known(_ user: String?) throws(SandboxError) -> String? {
    if let user, !configuration.users.contains(where: { $0.email == user }) {
      throw SandboxError(
        "The sandbox has no user \(user.debugDescription). Add the user to `otherUsers` of the configuration.")
    }
    return user
  }

  /// Opens an authorization URL and allows access, for a server whose responses are posted forms (``Dialect/postsResponses``).
  ///
  /// - Parameter authorizationURL: The URL opened by the application in the browser.
  /// - Returns: The URL to which the form is posted, and the form.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of returning to the application.
  public func approveByForm(_ authorizationURL: URL) throws -> (callback: URL, form: [UInt8]) {
    let response = try approve(authorizationURL).absoluteString
    guard let (target, form) = AuthorizationServer.posted(response), let callback = URL(string: target) else {
      throw SandboxError("The callback has no parameters.")
    }
    return (callback, Array(form.utf8))
  }

  /// Enters a device's code and allows access, as the user would.
  ///
  /// - Parameters:
  ///   - userCode: The code shown on the device.
  ///   - scopes: The scopes allowed by the user. Defaults to all requested scopes.
  ///   - user: The e-mail address of the user who signs in. Defaults to the first user.
  /// - Throws: ``SandboxError`` if the code is unknown, was used, or has expired, or if there is no such user.
  public func approve(userCode: String, granting scopes: Set<Scope>? = nil, as user: String? = nil) throws {
    try decide(userCode: userCode, .allow(scopes, user: try known(user)))
  }

  /// Enters a device's code and denies access, as the user would.
  ///
  /// - Parameter userCode: The code shown on the device.
  /// - Throws: ``SandboxError`` if the code is unknown, was used, or has expired.
  public func deny(userCode: String) throws { try decide(userCode: userCode, .deny) }

  private func decide(userCode: String, _ decision: AuthorizationServer.Decision) throws(SandboxError) {
    guard
      authorization.decide(
        userCode: DeviceStore.normalized(userCode), decision, in: \.devices,
        at: authorization.profile(for: Self.inProcessURL))
    else {
      throw SandboxError("The code is unknown, was used, or has expired. Start again on the device.")
    }
  }

  /// Opens a sign-out URL and confirms the sign-out, as the user would.
  ///
  /// - Parameter logoutURL: The URL opened by the application in the browser.
  /// - Returns: The callback URL, or `nil` if the browser stays at the sandbox.
  /// - Throws: ``SandboxError`` if the browser would show an error page.
  public func signOut(at logoutURL: URL) async throws -> URL? {
    let parameters = Parameters(logoutURL.query(percentEncoded: true) ?? "")
    do throws(OAuthFault) {
      let logout = try await authorization.logoutRequest(parameters, at: authorization.profile(for: logoutURL))
      await authorization.endUserSession(of: logout.user)
      return logout.redirectURI.flatMap { URL(string: $0) }
    } catch {
      throw SandboxError(error.description)
    }
  }

  /// Invalidates all access tokens issued so far.
  ///
  /// Refresh tokens remain valid.
  public func invalidateAccessTokens() {
    googleCloud?.invalidateAccessTokens()
    authorization.invalidateAccessTokens()
  }

  /// Ends all grants, as if the users had revoked access in their account settings.
  ///
  /// Access and refresh tokens are then invalid.
  public func revokeGrants() { authorization.revokeGrants() }

  /// Ends a user's grants, as if this user had revoked access in the account settings.
  ///
  /// The user's access and refresh tokens are then invalid. Those of other users remain valid.
  ///
  /// - Parameter user: The user's e-mail address.
  public func revokeGrants(of user: String) { authorization.revokeGrants(of: user) }

  /// Expires all sync tokens issued so far.
  ///
  /// The next request with one fails with status 410.
  public func expireSyncTokens() { calendars.expireSyncTokens() }

  /// Ends a user's session, as an administrator can, and notifies its clients.
  ///
  /// The sandbox sends a logout token to each client of the session with a ``Client/backChannelLogoutURI``
  /// ([OpenID Connect Back-Channel Logout §
  /// 2.5](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest)),
  /// through ``Configuration/logoutTransport``. The ``log`` shows the status of each response.
  ///
  /// Tokens remain valid. If the user has no session, the method has no effect.
  ///
  /// - Parameter user: The e-mail address of the user, or `nil` for all users.
  public func endUserSession(of user: String? = nil) async { await authorization.endUserSession(of: user) }

  /// The back-channel authentication requests that await their users' decisions.
  public var backchannelRequests: [BackchannelRequest] { authorization.backchannelRequests }

  /// Allows a back-channel authentication request, as the user would on their own device.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - scopes: The scopes allowed by the user. Defaults to all requested scopes. The scope `openid` is always
  ///     allowed.
  /// - Throws: ``SandboxError`` if the request is unknown, was decided, or has expired.
  public func approve(_ request: BackchannelRequest, granting scopes: Set<Scope>? = nil) throws {
    try decide(request, .allow(scopes.map { $0.union([.openID]) }))
  }

  /// Denies a back-channel authentication request, as the user would on their own device.
  ///
  /// - Parameter request: The request.
  /// - Throws: ``SandboxError`` if the request is unknown, was decided, or has expired.
  public func deny(_ request: BackchannelRequest) throws { try decide(request, .deny) }

  private func decide(_ request: BackchannelRequest, _ decision: AuthorizationServer.Decision) throws(SandboxError) {
    let server = authorization.profile(for: Self.inProcessURL)
    guard authorization.decide(userCode: request.id, decision, in: \.backchannel, at: server) else {
      throw SandboxError("The back-channel request is unknown, was decided, or has expired. Send it again.")
    }
  }

  /// An injected fault of Calendar API calls.
  ///
  /// ```swift
  /// try sandbox.failCalls(Sandbox.CallFault(status: 403, reason: "rateLimitExceeded", count: 2))
  /// try sandbox.failCalls(Sandbox.CallFault(status: 503, reason: "backendError", method: "events.insert", isCarriedOut: true))
  /// ```
  public struct CallFault: Sendable, Hashable {
    /// The status of the response.
    ///
    /// With 200, the call succeeds and only ``delay`` takes effect.
    public var status: Int
    /// The reason of the error, such as `rateLimitExceeded`.
    public var reason: String
    /// The failing method, such as `events.insert`, or `nil` for all methods.
    public var method: String?
    /// The number of failing calls, at least 1.
    public var count: Int
    /// The interval of failing calls: 1 for every call, 3 for every third.
    public var every: Int
    /// Whether the call takes effect although it fails, as if the response were lost.
    public var isCarriedOut: Bool
    /// The delay of the response, on the sandbox's clock.
    public var delay: Duration?

    /// Creates a fault.
    public init(
      status: Int, reason: String, method: String? = nil, count: Int = 1, every: Int = 1, isCarriedOut: Bool = false,
      delay: Duration? = nil
    ) {
      self.status = status
      self.reason = reason
      self.method = method
      self.count = count
      self.every = every
      self.isCarriedOut = isCarriedOut
      self.delay = delay
    }

    /// Creates a delay of successful calls.
    public static func slow(by delay: Duration, method: String? = nil, count: Int = 1) -> CallFault {
      CallFault(status: 200, reason: "", method: method, count: count, delay: delay)
    }
  }

  /// Makes the next calls of the Calendar API fail.
  ///
  /// Only calls with a valid access token, sufficient scopes and remaining quota count, including each call in a batch.
  /// If several faults apply to a call, the first one added takes effect.
  ///
  /// - Throws: ``SandboxError`` for a fault that never occurs: the API has no such method, or a number is less than 1.
  public func failCalls(_ fault: CallFault) throws(SandboxError) {
    if let method = fault.method, CalendarMethod.ID(rawValue: method) == nil {
      throw SandboxError("The Calendar API has no method \(method.debugDescription). Use a name such as events.insert.")
    }
    guard fault.count > 0, fault.every > 0 else {
      throw SandboxError("The fault never occurs. Use a `count` and an `every` of at least 1.")
    }
    calendars.faults.withLock { $0.append(fault) }
  }

  /// Removes all faults.
  public func stopFailing() { calendars.faults.withLock { $0 = FaultPlan() } }
}

/// An error in a sandbox operation.
public struct SandboxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A message that states the failure and its remedy.
  public let message: String

  /// Creates an error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}

extension SandboxError: LocalizedError {
  /// The localized description, equal to ``description``.
  public var errorDescription: String? { description }
}
