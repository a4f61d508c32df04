import HTTPTransport
import LoopbackHTTP
public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The system's browser, with the answer received on a loopback address
/// ([RFC 8252 § 7.3](https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3)).
///
/// A sign-in listens on `127.0.0.1`, or `[::1]` where there is no IPv4, on a port that the system picks, from before the
/// browser is shown until the one answer came, the deadline passed or the task was cancelled; then the port is closed. Only
/// the answer to this very authorization counts: anything else that arrives is refused and the wait goes on.
public struct LoopbackUserAgent: UserAgent {
  private let path: String
  private let clock: any WallClock
  private let show: @Sendable (URL) async throws -> Void

  /// Creates a user agent.
  ///
  /// - Parameters:
  ///   - path: The path of the redirect address, as registered with the server.
  ///   - clock: The clock that deadlines are judged by.
  ///   - show: Shows the person an address; returns without waiting for them.
  public init(
    path: String = "/callback", clock: some WallClock = SystemClock(),
    show: @escaping @Sendable (URL) async throws -> Void
  ) {
    self.path = path
    self.clock = clock
    self.show = show
  }

  public func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationAnswer {
    let receiver = CallbackReceiver()
    let server = try await listen(receiver)
    do {
      let pending = try await begin(server.url.appending(path: path))
      receiver.expect(pending)
      try await show(pending.authorizationURL)
      let callback = try await withTimeLimit(pending.lifetime, by: clock) { try await receiver.callback() }
      // The browser shall still get its page.
      await server.stop(gracePeriod: .seconds(1))
      return AuthorizationAnswer(pending: pending, callback: callback)
    } catch {
      await server.stop()
      throw error
    }
  }

  private func listen(_ receiver: CallbackReceiver) async throws -> LoopbackServer {
    do {
      do {
        return try await LoopbackServer.start(on: .ipv4, handler: receiver.answer)
      } catch let error as LoopbackError where error.code == .familyUnavailable {
        return try await LoopbackServer.start(on: .ipv6, handler: receiver.answer)
      }
    } catch let error as LoopbackError {
      throw OAuthError(
        .userAgentUnavailable, "The answer of a sign-in cannot be received on this machine: \(error.message)")
    }
  }
}
