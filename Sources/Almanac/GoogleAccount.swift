// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
import Foundation
public import HTTPTransport
public import OAuthCore
import OAuthUserAgents
public import OpenIDConnect
public import Timekeeping
public import TokenStore

/// One user's Google account: sign-in, calendar and profile, with everything wired together.
///
/// ```swift
/// let google = try GoogleAccount(clientID: id, clientSecret: .environment("GOOGLE_CLIENT_SECRET"), scopes: [.calendarReadOnly])
/// try await google.authorize()
/// for try await entry in google.calendar.calendarList.entries() {
///   print(entry.title, entry.backgroundColor ?? .white)
/// }
/// try await google.revoke()
/// ```
///
/// In an app for iOS it is `GoogleAccount(iOSClientID: id, scopes: [.calendarReadOnly])`, without a secret: the sign-in page is the
/// system's (`WebAuthenticationUserAgent`), the tokens are in the keychain (`KeychainTokenStorage`).
///
/// Every part can be replaced where it is made: transport, storage, clock and user agent. Any number of tasks may use it.
public struct GoogleAccount: Sendable {
  /// The authorization behind the account.
  public let oauthAccount: OAuthAccount
  /// The Calendar API as this user.
  public let calendar: CalendarClient
  /// Where Google is.
  public let services: GoogleServices

  /// Creates an account.
  ///
  /// Nothing is read or sent yet.
  ///
  /// - Parameters:
  ///   - clientID: The client identifier from the Google Cloud console.
  ///   - clientSecret: The secret of a desktop or web client, which is read when it is first needed; `nil` for an iOS client,
  ///     which has none.
  ///   - scopes: The scopes to request.
  ///   - account: The name of the account, one for each user. Its record in the storage has the `RecordName` of this name and the client's
  ///     identifier, so that two clients never share one.
  ///   - services: Where Google is.
  ///   - transport: The transport for all requests; `nil` for ``DefaultTransport``.
  ///   - retries: How often and after which pauses a request is sent again, whichever transport sends it: calls of the Calendar API by
  ///     Google's reasons, all others as `retrying(_:clock:)` does. `RetryPolicy.none` leaves retries to `transport`. In a
  ///     test, `ManualClock(skipsWaits: true)` skips the pauses.
  ///   - storage: Where tokens are kept; `nil` for files in the user's data folder.
  ///   - clock: The clock.
  ///   - userAgent: Shows the user Google's page. In an app for iOS, see `GoogleAccount(iOSClientID:scopes:)`. `nil` for a program that never shows a page, such as a server: ``authorize()`` then throws `signInRequired` where a
  ///     sign-in is needed.
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public init(
    clientID: String, clientSecret: SecretSource? = nil, scopes: [GoogleScope], account: String = "default",
    services: GoogleServices = .production, transport: (any Transport)? = nil, retries: RetryPolicy = .default,
    storage: (any TokenStorage)? = nil, clock: some WallClock = SystemClock(),
    userAgent: (any UserAgent)?
  ) throws {
    let base: any Transport = transport ?? DefaultTransport()
    let http: any Transport = base.retrying(retries, clock: clock)
    let client = try OAuthClient(
      provider: services.provider,
      registration: ClientRegistration(
        clientID: clientID, authentication: clientSecret.map { ClientSecretFromSource($0) } ?? NoClientAuthentication()),
      transport: http, clock: clock)
    let tokenStorage: any TokenStorage = storage ?? FileTokenStorage()
    let oauthAccount = OAuthAccount(
      client: client, storage: tokenStorage, account: RecordName(account: account, clientID: clientID).description,
      scopes: scopes.map(\.rawValue),
      userAgent: userAgent, verifier: IDTokenVerifier(client: client, transport: http, clock: clock),
      scopeRule: .google, name: account)
    self.init(oauthAccount: oauthAccount, services: services, retries: retries)
  }

  /// Creates an account from an authorization that was composed by hand.
  ///
  /// - Parameters:
  ///   - oauthAccount: The authorization. Its client's transport sends the requests to the services too, and token requests are
  ///     sent again only if that transport retries.
  ///   - services: Where Google is.
  ///   - retries: How often and after which pauses calls of the Calendar API are sent again, by the clock of the authorization's
  ///     client. `RetryPolicy.none` leaves retries to its transport.
  public init(
    oauthAccount: OAuthAccount, services: GoogleServices = .production, retries: RetryPolicy = .default
  ) {
    func client(_ clock: some WallClock) -> CalendarClient {
      // The Calendar client decides about its calls, whether or not the transport below retries.
      CalendarClient(
        transport: oauthAccount.transport(for: services.origins), baseURL: services.apiURL,
        options: .init(retryPolicy: retries), clock: clock)
    }
    self.oauthAccount = oauthAccount
    self.services = services
    calendar = client(oauthAccount.client.clock)
  }
}

#if os(macOS) || os(Linux)
  extension GoogleAccount {
    /// Creates an account whose sign-in page the system's browser shows, see ``defaultUserAgent``.
    ///
    /// Other platforms have no such browser: there, an account is made with a user agent, or with `nil`. The parameters are those of
    /// ``init(clientID:clientSecret:scopes:account:services:transport:retries:storage:clock:userAgent:)``.
    ///
    /// - Throws: `OAuthError` with code `invalidConfiguration`.
    public init(
      clientID: String, clientSecret: SecretSource? = nil, scopes: [GoogleScope], account: String = "default",
      services: GoogleServices = .production, transport: (any Transport)? = nil, retries: RetryPolicy = .default,
      storage: (any TokenStorage)? = nil, clock: some WallClock = SystemClock()
    ) throws {
      try self.init(
        clientID: clientID, clientSecret: clientSecret, scopes: scopes, account: account, services: services,
        transport: transport, retries: retries, storage: storage, clock: clock, userAgent: Self.defaultUserAgent)
    }

    /// The system's browser, with the URL printed to standard error for where none shows up.
    public static var defaultUserAgent: any UserAgent {
      LoopbackUserAgent.systemBrowser { address, opened in
        let invitation = opened ? "If no browser shows the sign-in page, open" : "Open"
        let text = "\(invitation) this URL in a browser on this computer:\n\(address.absoluteString)\n"
        // A program whose standard error is closed still has its browser.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
      }
    }
  }
#endif

extension GoogleAccount {
  /// Returns an access token: the stored one, else a refreshed one, else one from a new sign-in in the browser.
  ///
  /// It also signs in, once, for scopes of the account that are new: that were not requested before, and that those granted do
  /// not cover. ``GoogleScope/calendar`` covers ``GoogleScope/calendarReadOnly``, for example. A scope that the user refuses
  /// is missing from the token's scopes.
  ///
  /// - Throws: `OAuthError`, with code `subjectMismatch` if another user signs in for new scopes; `TransportError`,
  ///   `TokenStorageError`; `CancellationError`, promptly, when the current task is cancelled.
  @discardableResult
  public func authorize() async throws -> AccessToken { try await oauthAccount.authorize() }

  /// Returns an access token that has `scopes` too: the stored one if those granted cover them, else one from a new sign-in in
  /// the browser that requests them and all that was requested before.
  ///
  /// ```swift
  /// let token = try await google.authorize(adding: [.calendarEvents])     // when the user wants to change something
  /// guard GoogleScope.calendarEvents.isGranted(by: token.scopes) else { return }
  /// ```
  ///
  /// - Parameter scopes: The scopes to add. Those that the user refused before are requested again.
  /// - Throws: As ``authorize()``. What was stored is kept.
  @discardableResult
  public func authorize(adding scopes: [GoogleScope]) async throws -> AccessToken {
    try await oauthAccount.authorize(adding: scopes.map(\.rawValue))
  }

  /// Revokes the access at Google, then removes the stored tokens.
  ///
  /// Fails without removing them if Google cannot be reached.
  public func revoke() async throws { try await oauthAccount.revoke() }

  /// Removes the stored tokens and leaves the access at Google as it is, such as when a device is handed on without a network.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  public func signOut() async throws { try await oauthAccount.signOut() }

  /// Whether tokens are stored, which may have expired or been revoked.
  ///
  /// - Throws: `TokenStorageError`.
  public var isSignedIn: Bool {
    get async throws { try await oauthAccount.isSignedIn }
  }

  /// What happens to the authorization from now on: a stream of its own for every call.
  public var signInEvents: AsyncStream<SignInEvent> { oauthAccount.signInEvents }

  /// Reads the user's profile from the userinfo endpoint.
  ///
  /// The scopes `openid`, `email` and `profile` determine its members.
  ///
  /// - Throws: `OAuthError`, `TransportError`, `TokenStorageError`, `CancellationError`.
  public func profile() async throws -> UserProfile { try await oauthAccount.profile() }

  /// Returns a transport that adds this user's token to requests for the services' origins.
  public func transport() -> AuthorizedTransport { transport(for: services.origins) }

  /// Returns a transport that adds this user's token to requests for the given origins.
  ///
  /// - Parameter origins: The only origins that may see the token, such as that of another Google API.
  public func transport(for origins: Set<Origin>) -> AuthorizedTransport { oauthAccount.transport(for: origins) }
}
