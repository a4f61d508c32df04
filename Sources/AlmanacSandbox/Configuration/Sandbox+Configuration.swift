// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthJOSE
import PlatformFoundation
public import TokenStore

extension Sandbox {
  /// The sandbox's configuration.
  public struct Configuration: Sendable {
    /// The clients of the authorization server.
    public var clients: [Client] = [.native, .desktop]
    /// The clients of the Meetup-like provider.
    public var meetupClients: [Client] = [.meetup]
    /// The first user, who owns the sample calendars.
    public var user = User()
    /// More users, each with an empty calendar.
    ///
    /// With several users, the consent page asks which one signs in.
    public var otherUsers: [User] = []
    /// The groups, to which users can belong.
    public var groups: [Group] = []
    /// The initial calendars, or `nil` for the sample calendars.
    ///
    /// ``use(_:)`` sets the seed together with its users, groups and clients.
    public var seed: Seed?
    /// The configuration of the Google Cloud servers whose access tokens the Calendar API accepts, or `nil` for none.
    ///
    /// The `Sandbox` creates the servers: ``Sandbox/googleCloud``.
    ///
    /// A service account's token gives access to the account's own calendars. With a subject (domain-wide delegation), it gives
    /// access to that user's calendars.
    ///
    /// ``Sandbox/transport(at:)`` then serves Google Cloud's hosts, too. On loopback, the path begins with the host, as in
    /// `/oauth2.googleapis.com/token`. The token endpoint accepts assertions whose audience is Google's URL or its own. The
    /// metadata server is at the origin itself, for use with `GCE_METADATA_HOST`.
    public var googleCloud: GoogleCloudSandbox.Configuration?
    /// The Calendar API quota, or `nil` for no limit.
    public var quota: Quota?
    /// The lifetime of sync tokens, or `nil` for no expiry.
    ///
    /// Defaults to 28 days. Google does not publish a lifetime. A client must therefore expect that a sync token expires at any
    /// time.
    public var syncTokenLifetime: Duration? = .seconds(28 * 86_400)
    /// The transport for push notifications, or `nil` to send none.
    public var notificationTransport: (any Transport)?
    /// Whether programs can control the sandbox by requests to `/sandbox/`, for example to issue tokens or inject faults.
    public var isControllable = false
    /// The e-mail address of a user who allows every request without a page, or `nil` to show the consent page.
    ///
    /// The server then redirects an authorization request to the application immediately. It allows device authorization
    /// requests, and the user's back-channel authentication requests, when they arrive. `prompt=none` succeeds.
    public var consentingUser: String?
    /// The supported scopes, with their explanations on the consent page.
    public var scopes = OfferedScope.all
    /// The issuer identifier: an origin without a trailing slash.
    ///
    /// If `nil`, the issuer is the origin of each request.
    public var issuer: String?
    /// The lifetime of access tokens.
    public var accessTokenLifetime: Duration = .seconds(3600)
    /// The lifetime of refresh tokens, or `nil` for no expiry.
    public var refreshTokenLifetime: Duration?
    /// The lifetime of authorization codes.
    public var codeLifetime: Duration = .seconds(60)
    /// The time for the user to answer a consent page.
    public var consentLifetime: Duration = .seconds(600)
    /// The public keys of trusted assertion issuers, by issuer
    /// ([RFC 7523 § 2.1](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1)).
    public var assertionIssuers: [String: JWKSet] = [:]
    /// The access to client registration ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html)), or `nil` for no registration.
    public var registrationAccess: RegistrationAccess?
    /// Whether every authorization request must be pushed ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)).
    public var requiresPushedAuthorizationRequests = false
    /// The resources for which tokens can be requested ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)), in addition to
    /// the sandbox's Calendar API and userinfo endpoint.
    ///
    /// A token restricted to some resources is rejected by all others.
    public var resources: Set<String> = []
    /// The supported types of authorization details ([RFC 9396](https://www.rfc-editor.org/rfc/rfc9396.html)).
    public var authorizationDetailsTypes: Set<String> = []
    /// The rules for DPoP proofs, whose keys tokens are bound to
    /// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)), or `nil` for a server without DPoP.
    public var proofs: ProofPolicy? = ProofPolicy()
    /// The supported audiences of token exchange ([RFC 8693](https://www.rfc-editor.org/rfc/rfc8693.html)).
    public var exchangeAudiences: Set<String> = []
    /// The lifetime of device codes.
    public var deviceCodeLifetime: Duration = .seconds(600)
    /// The minimum time between two token requests of a device.
    public var devicePollingInterval: Duration = .seconds(5)
    /// The lifetime of a back-channel authentication request.
    ///
    /// A client can request a shorter lifetime
    /// ([CIBA Core § 7.1](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#auth_request)).
    public var backchannelRequestLifetime: Duration = .seconds(120)
    /// The minimum time between two token requests for a back-channel authentication request.
    public var backchannelPollingInterval: Duration = .seconds(5)
    /// The authentication context classes (`acr`) the user can satisfy.
    ///
    /// If a request names no class, the last one applies.
    public var authenticationContextClasses: [String] = []
    /// Whether the server ignores `max_age`, `acr_values` and `prompt=login`, like a server without support for them.
    public var ignoresAuthenticationRequirements = false
    /// Whether the response of `/userinfo` is a signed JWT (`application/jwt`).
    public var signsUserinfo = false
    /// The transport for back-channel logout requests, or `nil` to send none.
    ///
    /// The requests go to each client's ``Sandbox/Client/backChannelLogoutURI``.
    public var logoutTransport: (any Transport)?
    /// The lifetime of ID tokens.
    public var idTokenLifetime: Duration = .seconds(3600)
    /// The signing algorithm of ID tokens.
    ///
    /// It must be asymmetric. Defaults to RS256, as Google's. Generating an RSA key takes some 50 to 500 ms of CPU time
    /// in each sandbox that signs an ID token. A key for ES256 takes less than 1 ms.
    public var idTokenAlgorithm: JWS.Algorithm = .rs256
    /// Whether a sign-in returns a refresh token.
    public var issuesRefreshTokens = true
    /// Whether every refresh replaces the refresh token.
    ///
    /// Reuse of a replaced token then ends the grant
    /// ([RFC 9700 § 4.14.2](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.14.2)).
    ///
    /// If `false`, the response to a refresh has no refresh token, like Google's.
    public var rotatesRefreshTokens = true

    /// The server's deviations from the specification.
    public var dialect = Dialect()

    /// Creates the default configuration.
    public init() {}

    /// Creates a configuration.
    ///
    /// ```swift
    /// let configuration = Sandbox.Configuration { $0.accessTokenLifetime = .seconds(60) }
    /// ```
    ///
    /// - Parameter change: Changes the default configuration.
    public init(_ change: (inout Configuration) -> Void) { change(&self) }
  }

  /// The Calendar API quota, in calls per minute.
  ///
  /// A patch counts as three calls.
  public struct Quota: Sendable, Hashable {
    /// The maximum number of calls of one user through one client.
    public var perUser: Int
    /// The maximum number of calls of one client.
    public var perClient: Int

    /// Creates a quota.
    ///
    /// The defaults are the limits published by Google.
    public init(perUser: Int = 600, perClient: Int = 10_000) {
      self.perUser = perUser
      self.perClient = perClient
    }
  }
}

extension Sandbox.Configuration {
  /// Sets the users, groups, service accounts and calendars of a seed, and adds its clients.
  ///
  /// - Parameter seed: The seed. If it has service accounts, they replace ``googleCloud``.
  public mutating func use(_ seed: Sandbox.Seed) {
    user = seed.users.first ?? user
    otherUsers = Array(seed.users.dropFirst())
    groups = seed.groups
    clients = clients.filter { client in !seed.clients.contains { $0.id == client.id } } + seed.clients
    if !seed.serviceAccounts.isEmpty {
      var cloud = GoogleCloudSandbox.Configuration(serviceAccounts: seed.serviceAccounts)
      cloud.attachedAccount = seed.attachedAccount
      googleCloud = cloud
    }
    self.seed = seed
  }

  /// All users, starting with the first.
  var users: [Sandbox.User] { [user] + otherUsers }

  /// Returns the user of a grant, or the first user for a grant without one.
  func user(of grant: GrantStore.Grant) -> Sandbox.User { accounts.first { $0.email == grant.user } ?? user }
}

extension Sandbox {
  /// The access to client registration ([RFC 7591 § 3](https://www.rfc-editor.org/rfc/rfc7591.html#section-3)).
  public enum RegistrationAccess: Sendable, Hashable {
    /// Any program can register a client.
    case open
    /// Registration requires this initial access token.
    case withToken(Secret)
  }
}

extension Sandbox {
  /// The rules for DPoP proofs ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  ///
  /// The server always checks a proof's signature, type, key, method, URL, time, access token and single use.
  public struct ProofPolicy: Sendable, Hashable {
    /// The accepted signing algorithms.
    public var algorithms: Set<JWS.Algorithm> = JWS.Algorithm.asymmetric
    /// The number of requests for which a nonce is valid, or `nil` for proofs without a nonce.
    ///
    /// The authorization server and the APIs have separate nonces. Only the newest nonce is accepted.
    public var requestsPerNonce: Int?
    /// Whether every response announces the nonce for the next proof.
    ///
    /// Defaults to `true`. If `false`, a client receives a new nonce only when a request is rejected.
    public var announcesNonces = true
    /// The maximum difference between the time of a proof and the sandbox's clock.
    public var tolerance: Duration = .seconds(60)
    /// Whether the server ignores proofs and issues bearer tokens, like a server without DPoP.
    public var ignoresProofs = false

    /// Creates rules that require no nonce.
    public init() {}
  }
}

extension Sandbox {
  /// A behavior of Google for clients of the type *Desktop app*, where the specifications allow a server to be stricter.
  public enum GoogleBehavior: Sendable, Hashable, CaseIterable {
    /// Any port and path of `localhost`, `127.0.0.1` and `[::1]` is an allowed redirect URI.
    case anyLoopbackRedirect
    /// PKCE is optional for an authenticating client.
    ///
    /// If the client sends a challenge or a verifier, both must be present and match.
    case optionalPKCE
    /// The client can revoke a token without authentication, with the token in the form or the query.
    case revocationByToken
    /// Token responses list `https://www.googleapis.com/auth/userinfo.email` and `…profile` for the scopes `email` and `profile`.
    ///
    /// The server then also grants `openid`.
    case longScopeNames
  }
}

/// The validity rules for sync tokens.
struct SyncTokenPolicy: Sendable {
  /// The current generation.
  ///
  /// Tokens of other generations have expired.
  var generation = 1
  /// The lifetime of a token, or `nil` for no expiry.
  var lifetime: Duration?
}

extension Sandbox.Configuration {
  /// Returns the issuer at a request's URL: the configured issuer, else the URL's origin.
  ///
  /// RFC 8414 § 2: an issuer has no query and no fragment. The sandbox's issuers have no path either, except for the Meetup-like
  /// provider.
  func effectiveIssuer(for url: URL) -> String { issuer ?? Origin(url)?.description ?? "" }
}
