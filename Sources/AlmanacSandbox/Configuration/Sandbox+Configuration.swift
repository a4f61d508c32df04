// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthJOSE
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  /// How a sandbox is set up: a value, given once.
  public struct Configuration: Sendable {
    /// The applications that may ask for access.
    public var clients: [Client]
    /// The applications that may ask the Meetup-like provider for access.
    public var meetupClients: [Client]
    /// The user whose account it is.
    public var user: User
    /// More users, each with an empty calendar: the consent page asks which one signs in.
    public var otherUsers: [User] = []
    /// The groups that users belong to.
    public var groups: [Group] = []
    /// Calendars to begin with; `nil` takes the sample ones.
    ///
    /// ``use(_:)`` sets it along with the users, groups and clients.
    public var seed: Seed?
    /// The sandbox of Google Cloud whose access tokens the Calendar API accepts; `nil` for none.
    ///
    /// It follows the clock of the `Sandbox`.
    ///
    /// A token of a service account is for the account's own calendars; one with a subject (domain-wide delegation), for those of
    /// the user. ``Sandbox/transport(at:)`` then serves Google Cloud's hosts as well, and on loopback they are below their names,
    /// such as `/oauth2.googleapis.com/token`, which accepts assertions whose audience is Google's URL or its own. The metadata server is
    /// at the origin itself, as `GCE_METADATA_HOST` names it.
    public var googleCloud: GoogleCloudSandbox?
    /// How many calls of the Calendar API are accepted; `nil` for any number.
    public var quota: Quota?
    /// How long a sync token is valid; `nil` for ever.
    ///
    /// Defaults to 28 days. Google does not say after how long its tokens expire, so a client has to expect it at any time.
    public var syncTokenLifetime: Duration? = .seconds(28 * 86_400)
    /// How push notifications are sent to their receivers; `nil` sends none.
    public var notificationTransport: (any Transport)?
    /// Whether programs may control the sandbox through requests to `/sandbox/`: mint tokens, request failures, and more.
    public var isControllable = false
    /// The e-mail address of a user who allows every request at once, without a page; `nil` asks on a page.
    ///
    /// The response to an authorization request then goes back to the application immediately. Requests of devices and
    /// back-channel requests are allowed as they arrive. `prompt=none` succeeds.
    public var consentingUser: String?
    /// What may be requested, and how the consent page puts it.
    public var scopes: [Scope]
    /// The issuer identifier: an origin without a trailing slash; `nil` takes the origin that each request came to.
    public var issuer: String?
    /// How long an access token is good.
    public var accessTokenLifetime: Duration
    /// How long a refresh token is good; `nil` for ever.
    public var refreshTokenLifetime: Duration?
    /// How long an authorization code may wait to be redeemed.
    public var codeLifetime: Duration
    /// How long a consent page may wait for its response.
    public var consentLifetime: Duration
    /// The public keys of those whose assertions are trusted, by their names
    /// ([RFC 7523 § 2.1](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1)).
    public var assertionIssuers: [String: JWKSet] = [:]
    /// Who may register clients ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html)); `nil` for no one.
    public var registrationAccess: RegistrationAccess?
    /// Whether every authorization request must be pushed ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)).
    public var requiresPushedAuthorizationRequests = false
    /// The services, beside the sandbox's own Calendar API and userinfo endpoint, that a token may be requested for
    /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)).
    ///
    /// A token that was requested for some services is refused by the others.
    public var resources: Set<String> = []
    /// The types of authorization details that are known ([RFC 9396](https://www.rfc-editor.org/rfc/rfc9396.html)).
    public var authorizationDetailsTypes: Set<String> = []
    /// How proofs of possession are checked, to which tokens are bound
    /// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)); `nil` for a server that does not know them.
    public var proofs: ProofPolicy? = ProofPolicy()
    /// The audiences that a token may be exchanged for ([RFC 8693](https://www.rfc-editor.org/rfc/rfc8693.html)).
    public var exchangeAudiences: Set<String> = []
    /// How long the user may take to enter a device's code.
    public var deviceCodeLifetime: Duration = .seconds(600)
    /// How long a device has to wait between two requests for its tokens.
    public var devicePollingInterval: Duration = .seconds(5)
    /// The lifetime of a back-channel authentication request.
    ///
    /// A client may request a shorter one
    /// ([CIBA Core § 7.1](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#auth_request)).
    public var backchannelRequestLifetime: Duration = .seconds(120)
    /// The minimum time between two requests for the tokens of a back-channel authentication request.
    public var backchannelPollingInterval: Duration = .seconds(5)
    /// The authentication context classes that the user can authenticate in, `acr`; the last one is that of a user who is asked for
    /// none.
    public var authenticationContextClasses: [String] = []
    /// Whether `max_age`, `acr_values` and `prompt=login` change nothing, as at a server that does not know them.
    public var ignoresAuthenticationRequirements = false
    /// Whether the profile at `/userinfo` is a signed JWT, `application/jwt`.
    public var signsUserinfo = false
    /// What tells the clients that the user's session has ended; `nil` for no one.
    ///
    /// See ``Sandbox/Client/backChannelLogoutURI``.
    public var logoutTransport: (any Transport)?
    /// How long an ID token is good.
    public var idTokenLifetime: Duration
    /// The algorithm that ID tokens are signed with: any that a public key verifies.
    public var idTokenAlgorithm: JWS.Algorithm
    /// Whether a sign-in gives a refresh token at all.
    public var issuesRefreshTokens: Bool
    /// Whether every refresh replaces the refresh token, whose reuse then ends the whole grant
    /// ([RFC 9700 § 4.14.2](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.14.2)).
    ///
    /// Without it the response to a refresh omits the refresh token, as Google's does.
    public var rotatesRefreshTokens: Bool

    /// How the authorization server speaks where it is to differ from the specification.
    public var dialect = Dialect()

    /// Creates a configuration.
    public init(
      clients: [Client] = [.native, .desktop], meetupClients: [Client] = [.meetup], user: User = User(),
      scopes: [Scope] = Scope.all, issuer: String? = nil,
      accessTokenLifetime: Duration = .seconds(3600), refreshTokenLifetime: Duration? = nil,
      codeLifetime: Duration = .seconds(60), consentLifetime: Duration = .seconds(600),
      idTokenLifetime: Duration = .seconds(3600), idTokenAlgorithm: JWS.Algorithm = .rs256,
      issuesRefreshTokens: Bool = true, rotatesRefreshTokens: Bool = true
    ) {
      self.clients = clients
      self.meetupClients = meetupClients
      self.user = user
      self.scopes = scopes
      self.issuer = issuer
      self.accessTokenLifetime = accessTokenLifetime
      self.refreshTokenLifetime = refreshTokenLifetime
      self.codeLifetime = codeLifetime
      self.consentLifetime = consentLifetime
      self.idTokenLifetime = idTokenLifetime
      self.idTokenAlgorithm = idTokenAlgorithm
      self.issuesRefreshTokens = issuesRefreshTokens
      self.rotatesRefreshTokens = rotatesRefreshTokens
    }
  }

  /// How many calls of the Calendar API are accepted in a minute.
  ///
  /// A patch counts three times.
  public struct Quota: Sendable, Hashable {
    /// The calls of one user through one client.
    public var perUser: Int
    /// The calls of one client.
    public var perClient: Int

    /// Creates a quota; the defaults are what Google has stated.
    public init(perUser: Int = 600, perClient: Int = 10_000) {
      self.perUser = perUser
      self.perClient = perClient
    }
  }
}

extension Sandbox.Configuration {
  /// Takes users, groups, clients, service accounts and calendars from a seed; its clients come beside those that are there.
  ///
  /// - Parameter seed: The seed. Service accounts in it replace ``googleCloud``, on the clock of the sandbox.
  public mutating func use(_ seed: Sandbox.Seed) {
    user = seed.users.first ?? user
    otherUsers = Array(seed.users.dropFirst())
    groups = seed.groups
    clients = clients.filter { client in !seed.clients.contains { $0.id == client.id } } + seed.clients
    if !seed.serviceAccounts.isEmpty {
      var cloud = GoogleCloudSandbox.Configuration(serviceAccounts: seed.serviceAccounts)
      cloud.attachedAccount = seed.attachedAccount
      googleCloud = GoogleCloudSandbox(configuration: cloud)
    }
    self.seed = seed
  }

  /// The users, the first one first.
  var users: [Sandbox.User] { [user] + otherUsers }

  /// The user of a grant; the first for a grant without one.
  func user(of grant: GrantStore.Grant) -> Sandbox.User { accounts.first { $0.email == grant.user } ?? user }
}

extension Sandbox {
  /// Who may register clients ([RFC 7591 § 3](https://www.rfc-editor.org/rfc/rfc7591.html#section-3)).
  public enum RegistrationAccess: Sendable, Hashable {
    /// Every program.
    case open
    /// A program with this initial access token.
    case withToken(Secret)
  }
}

extension Sandbox {
  /// How proofs of possession are checked ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  ///
  /// Signature, type, key, method, URL, time, access token and single use of a proof are always checked.
  public struct ProofPolicy: Sendable, Hashable {
    /// The algorithms that a proof may be signed with.
    public var algorithms: Set<JWS.Algorithm> = JWS.Algorithm.asymmetric
    /// After how many requests another nonce is demanded; `nil` for proofs without a nonce.
    ///
    /// The endpoints of the authorization server have one nonce, and the APIs another. No nonce but the newest is accepted.
    public var requestsPerNonce: Int?
    /// Whether every response has the nonce for the next proof.
    ///
    /// Defaults to `true`. If it is `false`, a client learns of a new nonce by being refused.
    public var announcesNonces = true
    /// How far the time in a proof may be from the sandbox's.
    public var tolerance: Duration = .seconds(60)
    /// Whether the sandbox gives bearer tokens in spite of a proof, as a server does that does not know proofs.
    public var ignoresProofs = false

    /// Creates the policy of a server that demands no nonce.
    public init() {}
  }
}

extension Sandbox {
  /// A way in which Google treats a client of the type *Desktop app*, where the specifications allow a server to be stricter.
  public enum GoogleBehavior: Sendable, Hashable, CaseIterable {
    /// Any port and path of `localhost`, `127.0.0.1` and `[::1]` is a redirect URI of the client.
    case anyLoopbackRedirect
    /// A client that authenticates may leave PKCE out. A verifier must still match its challenge.
    case optionalPKCE
    /// The token alone revokes, without authentication of the client, in the form or in the query.
    case revocationByToken
    /// The scopes `email` and `profile` are named `https://www.googleapis.com/auth/userinfo.email` and `…profile` in token
    /// responses, and `openid` is granted along with them.
    case longScopeNames
  }
}

/// Which sync tokens are valid.
struct SyncTokenPolicy: Sendable {
  /// Tokens of another generation have expired.
  var generation = 1
  /// How long a token is valid; `nil` for ever.
  var lifetime: Duration?
}

extension Sandbox.Configuration {
  /// RFC 8414 § 2: the issuer has neither query nor fragment; here it has no path either, but for the Meetup-like one.
  func effectiveIssuer(for url: URL) -> String { issuer ?? Origin(url)?.description ?? "" }
}
