// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  public import AuthenticationServices
  public import OAuthCore
  import Support
  public import Timekeeping

  /// The system's sign-in page over the app's window, for apps on iOS, macOS and visionOS
  /// ([RFC 8252 § 4.1](https://www.rfc-editor.org/rfc/rfc8252.html#section-4.1)).
  ///
  /// ```swift
  /// let browser = try WebAuthenticationUserAgent(redirectURI: registeredURI) { window }
  /// ```
  ///
  /// The page closes when the response arrives, the user closes it, the deadline passes or the task is cancelled. If the user
  /// closes it, the error's code is `accessDenied`.
  public struct WebAuthenticationUserAgent: UserAgent {
    private let redirectURI: URL
    private let redirect: ClaimedRedirect
    private let isEphemeral: Bool
    private let clock: any WallClock
    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

    /// Creates a user agent.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI as registered with the server: a URL with the app's own scheme, or an https URL whose
    ///     host is among the app's associated domains (`webcredentials`).
    ///   - isEphemeral: Whether the page shares no cookies with the user's browser, so the user signs in anew and
    ///     leaves no trace.
    ///   - clock: The clock for deadlines.
    ///   - anchor: A closure that returns the window to show the page over, called for every sign-in.
    /// - Throws: `OAuthError` with code `invalidConfiguration` for a redirect URI that an app cannot claim.
    public init(
      redirectURI: URL, isEphemeral: Bool = false, clock: some WallClock = SystemClock(),
      anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
    ) throws {
      redirect = try ClaimedRedirect(redirectURI)
      self.redirectURI = redirectURI
      self.isEphemeral = isEphemeral
      self.clock = clock
      self.anchor = anchor
    }

    /// Shows the server's page to the user and returns the callback.
    public func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
      let pending = try await begin(redirectURI)
      try Task.checkCancellation()
      let wait = SingleWait<URL>()
      let page = await SystemPage(
        pending.authorizationURL, redirect: redirect, isEphemeral: isEphemeral, anchor: anchor, wait: wait)
      do {
        try await page.show()
        let callback = try await clock.limiting(to: pending.lifetime, orThrow: OAuthError.pageTimedOut) {
          try await wait.value()
        }
        // The page closes at the first URL that matches. A URL that does not belong to this sign-in is rejected with its own
        // error.
        _ = try CallbackParameters(callback, for: pending)
        return AuthorizationResponse(pending: pending, callback: callback)
      } catch {
        await page.close()
        throw error
      }
    }
  }

  /// One presentation of the page.
  ///
  /// The session lives as long as this object.
  @MainActor
  private final class SystemPage {
    private let session: ASWebAuthenticationSession
    private let window: Window

    init(
      _ url: URL, redirect: ClaimedRedirect, isEphemeral: Bool, anchor: @MainActor () -> ASPresentationAnchor,
      wait: SingleWait<URL>
    ) {
      let callback: ASWebAuthenticationSession.Callback =
        switch redirect {
        case .customScheme(let scheme): .customScheme(scheme)
        case .https(let host, let path): .https(host: host, path: path)
        }
      // `@Sendable`: the system calls it on any queue, and a closure of the main actor would trap there.
      session = ASWebAuthenticationSession(url: url, callback: callback) { @Sendable url, error in
        wait.end(url.map { .success($0) } ?? .failure(OAuthError(ending: error)))
      }
      window = Window(anchor())
      session.presentationContextProvider = window
      session.prefersEphemeralWebBrowserSession = isEphemeral
    }

    func show() throws {
      guard session.start() else {
        throw OAuthError(.userAgentUnavailable, "The sign-in page could not be shown. Try again from a visible window.")
      }
    }

    func close() { session.cancel() }
  }

  private final class Window: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: ASPresentationAnchor

    init(_ anchor: ASPresentationAnchor) { self.anchor = anchor }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
  }

  extension OAuthError {
    /// Creates the error for a page closed without a callback.
    fileprivate init(ending error: (any Error)?) {
      if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
        self.init(.accessDenied, "The sign-in page was closed. To continue, sign in again and allow access.")
      } else {
        self.init(
          .userAgentUnavailable,
          "The sign-in page could not be shown. Try again from a visible window. An https callback needs an associated domain."
        )
      }
    }
  }
#endif
