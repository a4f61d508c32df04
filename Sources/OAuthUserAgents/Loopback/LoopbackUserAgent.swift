// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
public import OAuthCore
public import PlatformFoundation
public import Timekeeping

/// A user agent that opens the system's browser and receives the callback on a loopback address
/// ([RFC 8252 § 7.3](https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3)).
///
/// A sign-in listens on `127.0.0.1`, or `[::1]` without IPv4, by default on a port chosen by the system. It listens
/// before the browser opens, and closes the port after the browser's last page, or when the deadline passes or the task
/// is cancelled. Only the response to this authorization is accepted. Other requests are rejected, and the wait
/// continues.
///
/// The browser opens a one-time link to the same port, which redirects to the authorization server. Other users of the
/// machine can read the arguments of the program that opens the browser, so the arguments contain this link and not
/// `state`. A second request for the link ends the sign-in with `OAuthError.Code.linkReused`, since another program may
/// have sent the first. On Linux, requests of other users get a response with status 403 by default.
public struct LoopbackUserAgent: UserAgent {
  private let path: String
  private let port: Int
  private let clock: any WallClock
  private let rejected: @Sendable (Rejection) -> Void
  private let handoff: Handoff
  private let allowsOtherUsers: Bool
  private let page: SignInPage
  private let show: @concurrent @Sendable (_ link: URL, _ authorizationURL: URL) async throws -> Void

  /// Creates a user agent.
  ///
  /// - Parameters:
  ///   - path: The path of the redirect URI, as registered with the server.
  ///   - port: The port of the redirect URI, for a server that compares ports contrary to
  ///     [RFC 8252 § 7.3](https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3). Defaults to 0: the system chooses a
  ///     free port for every sign-in.
  ///   - clock: The clock for deadlines.
  ///   - handoff: The kind of URL passed to `show`. Defaults to a one-time link.
  ///   - allowsOtherUsers: Whether the browser may belong to another user, such as an administrator who runs this program as a
  ///     service's user. Defaults to `false`. Only Linux reports the owner of a connection.
  ///   - page: The browser's last page. Defaults to one with the name of this process.
  ///   - show: A closure that opens a URL in the user's browser and returns without waiting for the user. The URL may
  ///     be an argument of a program.
  ///   - rejected: A closure called when a possible callback is rejected, at most once per sign-in for each kind of
  ///     ``Rejection``. The wait continues.
  public init(
    path: String = "/callback", port: Int = 0, clock: some WallClock = SystemClock(), handoff: Handoff = .link,
    allowsOtherUsers: Bool = false, page: SignInPage = SignInPage(),
    show: @concurrent @escaping @Sendable (URL) async throws -> Void,
    rejected: @escaping @Sendable (Rejection) -> Void = { _ in }
  ) {
    self.init(
      path: path, port: port, clock: clock, handoff: handoff, allowsOtherUsers: allowsOtherUsers, page: page,
      rejected: rejected
    ) { link, _ in try await show(link) }
  }

  /// - Parameters:
  ///   - rejected: A closure called when a request is rejected.
  ///   - show: A closure that opens the link, and may print the authorization URL where only the user can read it.
  init(
    path: String, port: Int, clock: any WallClock, handoff: Handoff, allowsOtherUsers: Bool, page: SignInPage,
    rejected: @escaping @Sendable (Rejection) -> Void,
    show: @concurrent @escaping @Sendable (_ link: URL, _ authorizationURL: URL) async throws -> Void
  ) {
    self.path = path
    self.port = port
    self.clock = clock
    self.rejected = rejected
    self.handoff = handoff
    self.allowsOtherUsers = allowsOtherUsers
    self.page = page
    self.show = show
  }

  /// Shows the server's page to the user and returns the callback.
  public func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let receiver = CallbackReceiver(page: page, rejected: rejected)
    let server = try await listen(receiver)
    do {
      let pending = try await begin(server.url.appending(path: path))
      let link = server.url.appending(path: receiver.expect(pending))
      let callback = try await handoff.show(pending.authorizationURL, or: link, by: show) {
        try await clock.limiting(to: pending.lifetime, orThrow: OAuthError.pageTimedOut) {
          try await receiver.callback()
        }
      }
      await receiver.lastPage(within: .seconds(5), by: clock)
      // The browser still receives its page.
      await server.stop(gracePeriod: .seconds(1))
      // The first request may have come from another user, who then sent the callback.
      try receiver.checkLink()
      return AuthorizationResponse(pending: pending, callback: callback)
    } catch {
      await server.stop()
      throw error
    }
  }

  private func listen(_ receiver: CallbackReceiver) async throws -> LoopbackServer {
    let clients: LoopbackServer.Clients = allowsOtherUsers ? .everyUser : .thisUser
    do {
      do {
        return try await LoopbackServer.start(
          on: .ipv4, port: port, clients: clients, rejected: receiver.reject, handler: receiver.respond)
      } catch let error as LoopbackError where error.code == .familyUnavailable {
        return try await LoopbackServer.start(
          on: .ipv6, port: port, clients: clients, rejected: receiver.reject, handler: receiver.respond)
      }
    } catch let error as LoopbackError {
      throw OAuthError(
        .userAgentUnavailable, "The response of a sign-in cannot be received on this machine: \(error.message)")
    }
  }
}

extension LoopbackUserAgent {
  /// A rejected request to the sign-in's port, possibly the callback.
  public enum Rejection: Sendable, Hashable {
    /// An authorization response without the sign-in's `state`.
    ///
    /// It belongs to another sign-in, was forged, or comes from a server without `state` in its responses.
    case otherState
    /// A malformed, oversized or late request, or one from another user of the machine.
    ///
    /// The text states the reason in a sentence. It contains nothing of the request.
    case unreadable(String)

    enum Kind { case otherState, unreadable }

    var kind: Kind {
      switch self {
      case .otherState: .otherState
      case .unreadable: .unreadable
      }
    }
  }
}
