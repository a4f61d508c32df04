// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  public import AuthenticationServices
  import OAuthCore
  import OAuthUserAgents
  public import TokenStore

  extension GoogleAccount {
    /// Creates an account for an iOS, visionOS or macOS app with a client of the type *iOS*, which has no secret.
    ///
    /// ```swift
    /// let google = try GoogleAccount(iOSClientID: "1234.apps.googleusercontent.com", scopes: [.calendarReadOnly])
    /// ```
    ///
    /// The system presents the sign-in page (`WebAuthenticationUserAgent`) and returns to ``redirectURI(iOSClientID:)``. The
    /// app need not register its scheme as a URL type.
    ///
    /// - Parameters:
    ///   - clientID: The client identifier from the Google Cloud console.
    ///   - scopes: The scopes to request.
    ///   - account: The account's name, unique per user.
    ///   - storage: The token storage. Defaults to the app's own keychain items.
    ///   - isEphemeral: Whether the page shares no cookies with the browser. If `true`, the user has to sign in every time.
    ///   - options: The services, transport, retry policy and clock.
    ///   - anchor: Returns the window to present the page over. Called for every sign-in. Defaults to the app's key
    ///     window.
    /// - Throws: `OAuthError` with code `invalidConfiguration`.
    @available(iOSApplicationExtension, unavailable, message: "An extension cannot show a sign-in page.")
    public init(
      iOSClientID clientID: String, scopes: [Scope], account: String = "default",
      storage: (any TokenStorage)? = nil, isEphemeral: Bool = false, options: Options = Options(),
      anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor = { .keyWindow }
    ) throws {
      try self.init(
        clientID: clientID, scopes: scopes, account: account, storage: storage ?? KeychainTokenStorage(),
        userAgent: WebAuthenticationUserAgent(
          redirectURI: Self.redirectURI(iOSClientID: clientID), isEphemeral: isEphemeral, clock: options.clock,
          anchor: anchor),
        options: options)
    }
  }

  extension ASPresentationAnchor {
    /// The app's key window, or any other window if it has none.
    @available(iOSApplicationExtension, unavailable, message: "An extension has no windows of its own.")
    @MainActor public static var keyWindow: ASPresentationAnchor {
      #if canImport(UIKit)
        let windows = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }.flatMap(\.windows)
        return windows.first(where: \.isKeyWindow) ?? windows.first ?? ASPresentationAnchor()
      #else
        return NSApplication.shared.keyWindow ?? NSApplication.shared.windows.first ?? ASPresentationAnchor()
      #endif
    }
  }
#endif
