// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
public import HTTPTransport
public import OAuthCore
import OAuthUserAgents
public import OpenIDConnect
public import PlatformFoundation
import Support
public import Timekeeping
public import TokenStore

/// A user's Google account: sign-in, calendar and profile, with all modules connected.
///
/// ```swift
/// let google = try GoogleAccount(clientID: id, clientSecret: .environment("GOOGLE_CLIENT_SECRET"), scopes: [.calendarReadOnly])
/// try await google.authorize()
/// for try await entry in google.calendar.calendarList.all() {
///   print(entry.title, entry.backgroundColor ?? .white)
/// }
/// try await google.revoke()
/// ```
///
/// In an iOS app, create the account by `GoogleAccount(iOSClientID: id, scopes: [.calendarReadOnly])`, without a secret. The system
/// presents the sign-in page (`WebAuthenticationUserAgent`), and the keychain stores the tokens (`KeychainTokenStorage`).
///
/// Pass your own storage, user agent and ``Options`` to the initializer. Any number of tasks can use an account.
public struct GoogleAccount: Sendable {
  /// The OAuth account that obtains and stores the tokens.
  public let oauthAccount: OAuthAccount
  /// The Calendar API client for this user.
  public let calendar: CalendarClient
  /// Google's endpoints.
  public let services: GoogleServices

  /// Creates an account.
  ///
  /// The initializer reads and sends nothing.
  ///
  /// - Parameters:
  ///   - clientID: The client identifier from the Google Cloud console.
  ///   - clientSecret: The secret of a desktop or web client, read at its first use, or `nil` for an iOS client.
  ///   - scopes: The scopes to request.
  ///   - account: The account's name, unique per user. The key of a record is the `RecordName` of this name and the client
  ///     identifier. Clients therefore never share a record.
  ///   - storage: The token storage. Defaults to files in the user's data folder.
  ///   - userAgent: The user agent for Google's sign-in page, or `nil` for a program without one, such as a server.
  ///     Without it, ``authorize()`` throws `signInRequired` if a sign-in is needed. In an iOS app, see
  ///     `GoogleAccount(iOSClientID:scopes:)`.
  ///   - options: The services, transport, retry policy and clock.
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public init(
    clientID: String, clientSecret: SecretSource? = nil, scopes: [Scope], account: String = "default",
    storage: (any TokenStorage)? = nil, userAgent: (any UserAgent)?, options: Options = Options()
  ) throws {
    let base: any Transport = options.transport ?? DefaultTransport()
    let http: any Transport = base.retrying(options.retryPolicy, clock: options.clock)
    let client = try OAuthClient(
      provider: options.services.provider,
      registration: ClientRegistration(
        clientID: clientID, authentication: clientSecret.map { ClientSecretFromSource($0) } ?? NoClientAuthentication()),
      transport: http, clock: options.clock)
    let tokenStorage: any TokenStorage = storage ?? FileTokenStorage()
    let oauthAccount = OAuthAccount(
      client: client, storage: tokenStorage, account: RecordName(account: account, clientID: clientID).description,
      scopes: scopes, userAgent: userAgent,
      verifier: IDTokenVerifier(client: client, transport: http, clock: options.clock),
      scopeRule: .google, name: account)
    self.init(oauthAccount: oauthAccount, apiURL: options.services.apiURL, retryPolicy: options.retryPolicy)
  }

  /// Creates an account from an OAuth account you composed yourself.
  ///
  /// - Parameters:
  ///   - oauthAccount: The OAuth account. Its client's transport also sends the requests to the services. Token
  ///     requests are retried only if this transport retries.
  ///   - apiURL: The root URL of the APIs. Defaults to Google's.
  ///   - retryPolicy: The retry policy for Calendar API calls, with delays by the clock of the account's client. `RetryPolicy.none`
  ///     leaves retries to the client's transport.
  public init(
    oauthAccount: OAuthAccount, apiURL: URL = GoogleServices.production.apiURL, retryPolicy: RetryPolicy = .default
  ) {
    let services = GoogleServices(provider: oauthAccount.client.provider, apiURL: apiURL)
    self.oauthAccount = oauthAccount
    self.services = services
    // The Calendar client decides about retries of its calls, even if the transport below retries.
    calendar = CalendarClient(
      transport: oauthAccount.transport(for: services.origins), baseURL: services.apiURL,
      options: .init(retryPolicy: retryPolicy), clock: oauthAccount.client.clock)
  }
}

extension GoogleAccount {
  /// The services, transport, retry policy and clock of an account, which the accounts of a program can share.
  ///
  /// ```swift
  /// let options = GoogleAccount.Options(transport: DefaultTransport(limits: TransportLimits(timeout: .seconds(10))))
  /// let google = try GoogleAccount(clientID: id, scopes: [.calendarReadOnly], account: "ada", userAgent: nil, options: options)
  /// ```
  public struct Options: Sendable {
    /// Google's endpoints.
    public var services: GoogleServices
    /// The transport for all requests, or `nil` for ``DefaultTransport``.
    public var transport: (any Transport)?
    /// The retry policy for all requests, on any transport.
    ///
    /// Calendar API calls are retried by Google's error reasons, other requests as by `retrying(_:clock:)`. `RetryPolicy.none`
    /// leaves retries to the transport.
    public var retryPolicy: RetryPolicy
    /// The clock.
    ///
    /// In a test, `ManualClock(skipsWaits: true)` skips the delays of retries.
    public var clock: any WallClock

    /// Creates options.
    public init(
      services: GoogleServices = .production, transport: (any Transport)? = nil,
      retryPolicy: RetryPolicy = .default, clock: some WallClock = SystemClock()
    ) {
      self.services = services
      self.transport = transport
      self.retryPolicy = retryPolicy
      self.clock = clock
    }
  }
}

#if os(macOS) || os(Linux)
  extension GoogleAccount {
    /// Creates an account that signs in with the default browser.
    ///
    /// See ``defaultUserAgent``.
    ///
    /// On other platforms, pass a user agent, or `nil`. The parameters are those of
    /// ``init(clientID:clientSecret:scopes:account:storage:userAgent:options:)``.
    ///
    /// - Throws: `OAuthError` with code `invalidConfiguration`.
    public init(
      clientID: String, clientSecret: SecretSource? = nil, scopes: [Scope], account: String = "default",
      storage: (any TokenStorage)? = nil, options: Options = Options()
    ) throws {
      try self.init(
        clientID: clientID, clientSecret: clientSecret, scopes: scopes, account: account, storage: storage,
        userAgent: Self.defaultUserAgent, options: options)
    }

    /// The default browser.
    ///
    /// The sign-in URL is also printed to standard error, in case no browser opens.
    public static var defaultUserAgent: any UserAgent {
      LoopbackUserAgent.systemBrowser { url, opened in
        let invitation = opened ? "If no browser shows the sign-in page, open" : "Open"
        let text = "\(invitation) this URL in a browser on this computer:\n\(url.absoluteString)\n"
        // If standard error is closed, the sign-in continues in the browser.
        _ = writeAll(Array(text.utf8), to: 2)
      }
    }
  }
#endif

extension GoogleAccount {
  /// Returns an access token: the stored one, else a refreshed one, else one from a new sign-in in the browser.
  ///
  /// It also signs in, once, if the account has a scope neither requested before nor covered by the granted scopes. For
  /// example, `.calendar` covers `.calendarReadOnly`. A denied scope is missing from the token's scopes.
  ///
  /// - Throws: `OAuthError`, with code `subjectMismatch` if another user signs in for new scopes. Also
  ///   `TransportError`, `TokenStorageError`, and `CancellationError`, promptly, if the current task is cancelled.
  @discardableResult
  public func authorize() async throws -> AccessToken { try await oauthAccount.authorize() }

  /// Returns an access token with `scopes`: the stored one if its scopes cover them, else one from a new sign-in.
  ///
  /// The sign-in in the browser requests the new scopes and all previously requested ones.
  ///
  /// ```swift
  /// let token = try await google.authorize(adding: [.calendarEvents])     // when the user wants to change something
  /// guard ScopeRule.google.isCovered(.calendarEvents, by: token.scopes) else { return }
  /// ```
  ///
  /// - Parameter scopes: The scopes to add. Previously denied scopes are requested again.
  /// - Throws: The errors of ``authorize()``. The stored token is kept.
  @discardableResult
  public func authorize(adding scopes: [Scope]) async throws -> AccessToken {
    try await oauthAccount.authorize(adding: scopes)
  }

  /// Revokes the access at Google, then removes the stored tokens.
  ///
  /// If Google cannot be reached, the method throws and keeps the tokens.
  public func revoke() async throws { try await oauthAccount.revoke() }

  /// Removes the stored tokens without revoking the access at Google.
  ///
  /// Use it if Google cannot be reached, for example before you give away a device that is offline.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  public func signOut() async throws { try await oauthAccount.signOut() }

  /// Whether tokens are stored.
  ///
  /// They may have expired or been revoked.
  ///
  /// - Throws: `TokenStorageError`.
  public var isSignedIn: Bool {
    get async throws { try await oauthAccount.isSignedIn }
  }

  /// The sign-in events from now on.
  ///
  /// Each call returns a separate stream.
  public var signInEvents: AsyncStream<SignInEvent> { oauthAccount.signInEvents }

  /// Returns the user's profile from the userinfo endpoint.
  ///
  /// The scopes `openid`, `email` and `profile` determine its members.
  ///
  /// - Throws: `OAuthError`, `TransportError`, `TokenStorageError`, `CancellationError`.
  public func profile() async throws -> UserProfile { try await oauthAccount.profile() }

  /// Returns a transport that adds this user's token to requests for the services' origins.
  public func transport() -> AuthorizedTransport { transport(for: services.origins) }

  /// Returns a transport that adds this user's token to requests for the given origins.
  ///
  /// - Parameter origins: The only origins to receive the token, such as the origin of another Google API.
  public func transport(for origins: Set<Origin>) -> AuthorizedTransport { oauthAccount.transport(for: origins) }

  /// Returns a transport that adds this user's token to requests for the origins of URL strings.
  ///
  /// An invalid URL string adds no origin.
  ///
  /// - Parameter urls: Any URL of each API, such as `https://people.googleapis.com`.
  public func transport(for urls: [String]) -> AuthorizedTransport { oauthAccount.transport(for: urls) }
}
