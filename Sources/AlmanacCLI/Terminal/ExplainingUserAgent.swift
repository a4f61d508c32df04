// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A user agent that tells the likely causes of an error page if no response has come after a while.
///
/// A server that cannot trust the redirect URI shows the error to the user alone (RFC 6749 § 4.1.2.1), so that the program learns
/// nothing.
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

/// The explanation of one sign-in, which is given once, for the redirect URI that was begun with last.
private final class Explanation: Sendable {
  private let state = Mutex<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

  /// Gives the explanation after a while, in place of the one that was started before.
  func start(on clock: any WallClock, give: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.task?.cancel()
      state.task = Task {
        do { try await clock.sleep(for: .seconds(30)) } catch { return }
        if claims() { give() }
      }
    }
  }

  /// Gives no explanation any more.
  func end() {
    state.withLock { state in
      state.task?.cancel()
      state = (nil, true)
    }
  }

  /// Returns whether the current task is the one that gives the explanation.
  private func claims() -> Bool {
    state.withLock { state in
      defer { state.isOver = state.isOver || !Task.isCancelled }
      return !state.isOver && !Task.isCancelled
    }
  }
}

extension Context {
  /// Tells the likely causes of an error page, and what to do about each.
  func tellCausesOfAnErrorPage(redirectURI: URL, scopes: [String]) {
    terminal.note(
      "The sign-in still waits for the browser. If its page shows an error, the server refuses the request. Likely causes:"
    )
    terminal.note("  - The redirect URI \(redirectURI.absoluteString) is not registered for the client.")
    terminal.note("    Register it, and name its port: --redirect-port \(redirectURI.port ?? 80)")
    if !scopes.isEmpty {
      terminal.note(
        "  - A scope is not allowed for the client: \(scopes.joined(separator: " ")). Name others with --scope.")
    }
    terminal.note("End the sign-in with Ctrl-C, then start it again.")
  }
}

/// A user agent that calls a function when the callback has brought a code, before the code is exchanged.
struct AnnouncingUserAgent: UserAgent {
  let base: any UserAgent
  /// Called before the exchange; not for a refusal, and not for what does not belong to the sign-in.
  let announce: @Sendable () -> Void

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let response = try await base.authorize(begin)
    let fields = FormEncoding.form.decode(response.callback.query(percentEncoded: true) ?? "")
    if response.pending.matches(response.callback), fields["code"] != nil { announce() }
    return response
  }
}
