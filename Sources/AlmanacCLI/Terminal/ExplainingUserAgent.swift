// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation
import Synchronization
import Timekeeping

/// A user agent that explains the likely causes of an error page if there is no callback within 30 seconds.
///
/// If the redirect URI is not valid, the server shows the error to the user and does not redirect (RFC 6749 § 4.1.2.1).
struct ExplainingUserAgent: UserAgent {
  let base: any UserAgent
  let clock: any WallClock
  /// Called with the redirect URI, at most once.
  let explain: @Sendable (URL) -> Void

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let explanation = Explanation()
    defer { explanation.end() }
    return try await base.authorize { redirectURI in
      let pending = try await begin(redirectURI)
      explanation.start(on: clock) { [explain] in explain(redirectURI) }
      return pending
    }
  }
}

/// The explanation of one sign-in, shown at most once, for the latest redirect URI.
private final class Explanation: Sendable {
  private let state = Mutex<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  /// Schedules the explanation after 30 seconds, and cancels the one scheduled before.
  func start(on clock: any WallClock, give: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.task?.cancel()
      state.task = Task {
        do { try await clock.sleep(for: .seconds(30)) } catch { return }
        if claims() { give() }
      }
    }
  }

  /// Cancels the explanation.
  func end() {
    state.withLock { state in
      state.task?.cancel()
      state = (nil, true)
    }
  }

  /// Returns whether the current task shows the explanation.
  private func claims() -> Bool {
    state.withLock { state in
      defer { state.isOver = state.isOver || !Task.isCancelled }
      return !state.isOver && !Task.isCancelled
    }
  }
}

extension Context {
  /// Writes the likely causes of an error page with their remedies.
  func tellCausesOfAnErrorPage(redirectURI: URL, scopes: [Scope]) {
    terminal.note(
      "The sign-in is still waiting for the browser. If the page shows an error, the server refused the request. Likely causes:"
    )
    terminal.note("  - The redirect URI \(redirectURI.absoluteString) is not registered for the client.")
    terminal.note("    Register it, and use --redirect-port \(redirectURI.port ?? 80).")
    if !scopes.isEmpty {
      terminal.note(
        "  - A scope is not allowed for the client: \(scopes.shown()). Name others with --scope.")
    }
    terminal.note("End the sign-in with Ctrl-C, then start it again.")
  }
}

/// A user agent that calls a function between a callback with a code and the exchange of the code.
struct AnnouncingUserAgent: UserAgent {
  let base: any UserAgent
  /// Called before the exchange, but not for a denied request or a callback of another sign-in.
  let announce: @Sendable () -> Void

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let response = try await base.authorize(begin)
    let fields = FormEncoding.form.decode(response.callback.query(percentEncoded: true) ?? "")
    if response.pending.matches(response.callback), fields["code"] != nil { announce() }
    return response
  }
}
