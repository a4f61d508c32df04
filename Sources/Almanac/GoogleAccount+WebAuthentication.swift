// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  public import AuthenticationServices
  public import HTTPTransport
  import OAuthCore
  import OAuthUserAgents
  public import Timekeeping
  public import TokenStore

  extension GoogleAccount {
    /// Creates an account in an app for iOS, visionOS or macOS, with a client of the type *iOS*, which has no secret.
    ///
    /// ```swift
    /// let google = try GoogleAccount(iOSClientID: "1234.apps.googleusercontent.com", scopes: [.calendarReadOnly])
    /// ```
    ///
    /// The sign-in page is the system's, `WebAuthenticationUserAgent`, and returns to
    /// ``redirectURI(iOSClientID:)``, whose scheme need not be among the app's URL types.
    ///
    /// - Parameters:
    ///   - clientID: The client identifier from the Google Cloud console.
    ///   - scopes: The scopes to request.
    ///   - account: The name to store the tokens under, one for each user.
    ///   - services: Where Google is.
    ///   - transport: The transport for all requests; `nil` for ``DefaultTransport``.
    ///   - retries: How often and after which pauses a request is sent again, whichever transport sends it.
    ///   - storage: Where tokens are kept; `nil` for the app's own items in the keychain.
    ///   - clock: The clock.
    ///   - isEphemeral: Whether the page shares no cookies with the browser, so that the user signs in anew every time.
    ///   - anchor: Returns the window to show the page over; called at every sign-in. Defaults to the app's key window.
    /// - Throws: `OAuthError` with code `invalidConfiguration`.
    @available(iOSApplicationExtension, unavailable, message: "An extension cannot show a sign-in page.")
    public init(
      iOSClientID clientID: String, scopes: [GoogleScope], account: String = "default",
      services: GoogleServices = .production, transport: (any Transport)? = nil, retries: RetryPolicy = .default,
      storage: (any TokenStorage)? = nil, clock: some WallClock = SystemClock(), isEphemeral: Bool = false,
      anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor = { .keyWindow }
    ) throws {
      try self.init(
        clientID: clientID, scopes: scopes, account: account, services: services, transport: transport,
        retries: retries,
        storage: storage ?? KeychainTokenStorage(), clock: clock,
        userAgent: WebAuthenticationUserAgent(
          redirectURI: Self.redirectURI(iOSClientID: clientID), isEphemeral: isEphemeral, clock: clock, anchor: anchor))
    }
  }

  extension ASPresentationAnchor {
    /// The window of the app that receives the user's input, or else any.
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
