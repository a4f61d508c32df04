// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Sandbox {
  /// Responds to an authorization request as the user in front of the browser would.
  ///
  /// It takes the way that the browser takes: the request is checked, the consent page is shown and its form sent once.
  ///
  /// - Parameters:
  ///   - authorizationURL: The URL that the application opens in the browser.
  ///   - deny: Whether the user refuses.
  ///   - scopes: What the user ticks, where that is less than what is requested.
  ///   - user: The e-mail address of the user who signs in, where there are several. Defaults to the one that the
  ///     application expects, or else the first.
  /// - Returns: The callback URL, with a code or an error.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of going back to the application.
  public func approve(
    _ authorizationURL: URL, deny: Bool = false, granting scopes: Set<String>? = nil, as user: String? = nil
  ) throws -> URL {
    let parameters = Parameters(authorizationURL.query(percentEncoded: true) ?? "")
    let server = authorization.profile(for: authorizationURL)
    var outcome = authorization.authorize(parameters, at: server)
    if case .consent(let id, _) = outcome {
      outcome = authorization.decide(consent: id, deny ? .deny : .allow(scopes, user: user), at: server)
    }
    switch outcome {
    case .redirect(let address):
      guard let callback = URL(string: address) else {
        throw SandboxError("The redirect URI is not a URL. Register another for the client.")
      }
      return callback
    case .refused(let reason): throw SandboxError(reason)
    case .consent: throw SandboxError("The form of the consent page was not sent.")
    }
  }

  /// Responds to an authorization request whose response the browser posts, as ``Dialect/postsResponses`` says.
  ///
  /// - Parameters:
  ///   - authorizationURL: The URL that the application opens in the browser.
  ///   - deny: Whether the user refuses.
  /// - Returns: The URL that the form is posted to, and the form.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of going back to the application.
  public func approveByForm(_ authorizationURL: URL, deny: Bool = false) throws -> (callback: URL, form: [UInt8]) {
    let address = try approve(authorizationURL, deny: deny).absoluteString
    guard let (target, form) = AuthorizationServer.posted(address), let callback = URL(string: target) else {
      throw SandboxError("The callback has no parameters.")
    }
    return (callback, Array(form.utf8))
  }

  /// Enters the code of a device and decides, as the user would.
  ///
  /// - Parameters:
  ///   - userCode: The code that the device shows.
  ///   - deny: Whether the user refuses.
  ///   - scopes: What the user allows, where that is less than what is requested.
  ///   - user: The e-mail address of the user who signs in. Defaults to the first.
  /// - Throws: ``SandboxError`` if the code is not known, was used or has expired.
  public func approve(
    userCode: String, deny: Bool = false, granting scopes: Set<String>? = nil, as user: String? = nil
  ) throws {
    guard
      authorization.decide(
        userCode: DeviceStore.normalized(userCode), deny ? .deny : .allow(scopes, user: user), in: \.devices,
        at: authorization.profile(for: Self.inProcessURL))
    else {
      throw SandboxError("The code is not known, was used, or has expired. Start again on the device.")
    }
  }

  /// Opens the URL of a request to sign out as the user's browser would, and confirms it.
  ///
  /// - Parameter logoutURL: The URL that the application opens in the browser.
  /// - Returns: The callback URL; `nil` if the user stays at the sandbox.
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

  /// Makes every access token that has been issued invalid now.
  ///
  /// Refresh tokens stay good.
  public func invalidateAccessTokens() {
    configuration.googleCloud?.invalidateAccessTokens()
    authorization.invalidateAccessTokens()
  }

  /// Ends every grant now, as the user does who withdraws access in the account's settings: neither access nor refresh
  /// tokens are good any more.
  public func revokeGrants() { authorization.revokeGrants() }

  /// Makes every sync token that has been issued expire now, so that the next one is responded with 410.
  public func expireSyncTokens() { calendars.expireSyncTokens() }

  /// Ends the session of a user, as an administrator can, and tells the clients of the session that have a
  /// ``Client/backChannelLogoutURI``
  /// ([OpenID Connect Back-Channel Logout § 2.5](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest)),
  /// through ``Configuration/logoutTransport``.
  ///
  /// Tokens stay valid. Without a session it does nothing. What the clients respond is in the ``log``.
  ///
  /// - Parameter user: The e-mail address of the user; `nil` for every user.
  public func endUserSession(of user: String? = nil) async { await authorization.endUserSession(of: user) }

  /// The back-channel authentication requests that wait for their users.
  public var backchannelRequests: [BackchannelRequest] { authorization.backchannelRequests }

  /// Decides about a back-channel authentication request, as its user would on the user's device.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - deny: Whether the user refuses.
  ///   - scopes: The scopes that the user allows. Defaults to all that are requested; `openid` is always allowed.
  /// - Throws: ``SandboxError`` if the request is not known, was decided or has expired.
  public func approve(
    _ request: BackchannelRequest, deny: Bool = false, granting scopes: Set<String>? = nil
  ) throws {
    let server = authorization.profile(for: Self.inProcessURL)
    let decision = deny ? AuthorizationServer.Decision.deny : .allow(scopes.map { $0.union(["openid"]) })
    guard authorization.decide(userCode: request.id, decision, in: \.backchannel, at: server) else {
      throw SandboxError("The back-channel request is not known, was decided, or has expired. Send it again.")
    }
  }

  /// A failure of calls of the Calendar API, on request.
  ///
  /// ```swift
  /// sandbox.failCalls(Sandbox.CallFault(status: 403, reason: "rateLimitExceeded", count: 2))
  /// sandbox.failCalls(Sandbox.CallFault(status: 503, reason: "backendError", method: "events.insert", isCarriedOut: true))
  /// ```
  public struct CallFault: Sendable, Hashable {
    /// The status of the response; 200 leaves the response as it is, for a call that is only slow.
    public var status: Int
    /// The reason in the error, such as `rateLimitExceeded`.
    public var reason: String
    /// The method that fails, such as `events.insert`; `nil` for all.
    public var method: String?
    /// How many calls fail.
    public var count: Int
    /// Which calls fail: 1 means each, 3 every third.
    public var every: Int
    /// Whether the call is carried out before it fails, as when the response is lost.
    public var isCarriedOut: Bool
    /// How long the response takes, by the sandbox's clock.
    public var delay: Duration?

    /// Creates a failure.
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

    /// Creates a delay of calls that do not fail otherwise.
    public static func slow(by delay: Duration, method: String? = nil, count: Int = 1) -> CallFault {
      CallFault(status: 200, reason: "", method: method, count: count, delay: delay)
    }
  }

  /// Makes the next calls of the Calendar API fail.
  ///
  /// Calls with a good access token and sufficient scopes count; those in a batch count each. Of several failures that a call
  /// meets the first that was requested is taken.
  public func failCalls(_ fault: CallFault) { calendars.faults.withLock { $0.append(fault) } }

  /// Ends all failures that were requested.
  public func stopFailing() { calendars.faults.withLock { $0 = FaultPlan() } }
}

/// Why the sandbox could not do what the user would.
public struct SandboxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened and what to do, in a sentence.
  public let message: String

  /// Creates an error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}

extension SandboxError: LocalizedError {
  /// What is wrong and where: the description.
  public var errorDescription: String? { description }
}
