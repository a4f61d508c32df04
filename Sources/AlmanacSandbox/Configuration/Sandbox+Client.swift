// SPDX-License-Identifier: Apache-2.0

public import AppFlip
public import OAuthJOSE
public import OAuthScope
public import PlatformFoundation
public import TokenStore

extension Sandbox {
  /// A client registered with the sandbox.
  public struct Client: Sendable, Hashable {
    /// A method of client authentication at the token and revocation endpoints
    /// ([RFC 6749 § 2.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3)).
    ///
    /// The server accepts the registered method only.
    public enum Authentication: Sendable, Hashable {
      /// No authentication: a public client, which sends its identifier only.
      case none
      /// The secret as a form parameter (`client_secret_post`).
      case clientSecretPost(Secret)
      /// The form-encoded identifier and secret in the `Authorization` field (`client_secret_basic`).
      case clientSecretBasic(Secret)
      /// The secret by either `client_secret_post` or `client_secret_basic`, as Google accepts it.
      case clientSecret(Secret)
      /// An assertion signed with the secret (`client_secret_jwt`).
      ///
      /// The secret must have at least 32 bytes.
      case clientSecretJWT(Secret)
      /// An assertion signed with a private key (`private_key_jwt`). The set contains the public key.
      case privateKeyJWT(JWKSet)
      /// A certificate, by its DER bytes (`tls_client_auth`).
      ///
      /// The sandbox does not terminate TLS. It reads the certificate from the `Client-Cert` field, which a proxy sets
      /// ([RFC 9440](https://www.rfc-editor.org/rfc/rfc9440.html)).
      case tlsClientCertificate([UInt8])
    }

    /// The client identifier.
    public var id: String
    /// The name shown on the consent page.
    public var name: String
    /// The allowed redirect URIs.
    ///
    /// URIs must match exactly, except for the port of a loopback IP literal
    /// ([RFC 8252 § 7.3](https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3)).
    public var redirectURIs: [String]
    /// The client authentication method.
    public var authentication: Authentication
    /// The App Flip redirect URIs of a linked client.
    ///
    /// `AppFlipRedirect/google` has Google's.
    ///
    /// App Flip redirect URIs in ``redirectURIs`` have no effect.
    ///
    /// For these redirects, an authenticating client can omit PKCE, because Google's app sends no challenge. The code
    /// cannot be redeemed without the client's credentials.
    public var appFlipRedirects: Set<AppFlipRedirect>
    /// The behaviors in which the server follows Google rather than the stricter specifications.
    public var googleBehaviors: Set<GoogleBehavior>
    /// The public keys of the client's request objects ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)).
    ///
    /// Defaults to the keys of ``Authentication/privateKeyJWT(_:)``. Without keys, the server rejects request objects.
    public var requestObjectKeys: JWKSet?
    /// The allowed redirect URIs after sign-out
    /// ([OpenID Connect RP-Initiated Logout § 3.1](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#ClientMetadata)).
    public var postLogoutRedirectURIs: [String] = []
    /// The URL for notifications when the user's session ends
    /// ([OpenID Connect Back-Channel Logout §
    /// 2.2](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRegistration)).
    public var backChannelLogoutURI: URL?
    /// Whether every request of the client must be signed.
    public var requiresSignedRequests = false
    /// Whether all tokens of the client must be bound to a key
    /// ([RFC 9449 § 5.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-5.2)).
    public var requiresBoundTokens = false

    /// Creates a client.
    public init(
      id: String, name: String, redirectURIs: [String], authentication: Authentication = .none,
      appFlipRedirects: Set<AppFlipRedirect> = [], googleBehaviors: Set<GoogleBehavior> = []
    ) {
      self.id = id
      self.name = name
      self.redirectURIs = redirectURIs
      self.authentication = authentication
      self.appFlipRedirects = appFlipRedirects
      self.googleBehaviors = googleBehaviors
    }

    /// A public client with the identifier `almanac` and `/callback` on the IPv4 and IPv6 loopback addresses.
    public static let native = Client(
      id: "almanac", name: "Almanac", redirectURIs: ["http://127.0.0.1/callback", "http://[::1]/callback"])

    /// A client like Google's of the type *Desktop app*, with every ``GoogleBehavior``.
    ///
    /// Its identifier is `almanac-desktop`. Its secret, `sandbox-secret`, is not confidential.
    public static let desktop = Client(
      id: "almanac-desktop", name: "Desktop app", redirectURIs: [],
      authentication: .clientSecret(Secret("sandbox-secret")), googleBehaviors: Set(GoogleBehavior.allCases))

    /// A client of the Meetup-like provider, with the redirect URIs of ``native``.
    ///
    /// Its identifier is `almanac-meetup`. It sends its secret, `sandbox-secret`, as a form parameter.
    public static let meetup = Client(
      id: "almanac-meetup", name: "Almanac", redirectURIs: native.redirectURIs,
      authentication: .clientSecretPost(Secret("sandbox-secret")))
  }
}

extension Sandbox.Client {
  /// The public keys for verifying request objects.
  ///
  /// Defaults to the keys of the client's assertions (RFC 7591 § 2, `jwks`).
  var requestKeys: JWKSet? {
    if case .privateKeyJWT(let keys) = authentication { return requestObjectKeys ?? keys }
    return requestObjectKeys
  }

  func accepts(redirectURI: String) -> Bool {
    if googleBehaviors.contains(.anyLoopbackRedirect),
      LoopbackRedirect(redirectURI, hosts: LoopbackRedirect.names) != nil
    {
      return true
    }
    return redirectURIs.contains { registered in
      if registered == redirectURI { return true }
      guard let registered = LoopbackRedirect(registered), let redirect = LoopbackRedirect(redirectURI) else {
        return false
      }
      return registered == redirect
    }
  }
}

/// A loopback redirect URI without its port, for comparison with a registered one.
private struct LoopbackRedirect: Equatable {
  static let literals = ["http://127.0.0.1", "http://[::1]"]
  static let names = literals + ["http://localhost"]

  let origin: Substring
  let rest: Substring

  init?(_ text: String, hosts: [String] = literals) {
    guard let origin = hosts.first(where: text.hasPrefix) else { return nil }
    self.origin = text.prefix(origin.utf8.count)
    var rest = text.dropFirst(origin.count)
    if rest.first == ":" {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard let port = UInt16(digits), port > 0 else { return nil }
      rest = rest[digits.endIndex...]
    }
    guard rest.isEmpty || rest.first == "/" || rest.first == "?", !rest.contains("#") else { return nil }
    self.rest = rest
  }
}

extension Sandbox {
  /// A scope offered by the server, with its explanation for the user.
  public struct OfferedScope: Sendable, Hashable {
    /// The scope.
    public var scope: Scope
    /// The explanation on the consent page.
    public var explanation: String

    /// Creates a scope.
    public init(_ scope: Scope, _ explanation: String) {
      self.scope = scope
      self.explanation = explanation
    }

    /// The scopes of OpenID Connect and Google Calendar.
    public static let all =
      [
        OfferedScope(.openID, "Know which account you use"),
        OfferedScope(.email, "See your e-mail address"),
        OfferedScope(.profile, "See your name and picture"),
      ]
      + [
        ("userinfo.email", "See your e-mail address"),
        ("userinfo.profile", "See your name and picture"),
        ("calendar", "See, change, share and delete all your calendars"),
        ("calendar.readonly", "See all your calendars and their events"),
        ("calendar.calendarlist", "See, add and remove calendars you are subscribed to"),
        ("calendar.calendarlist.readonly", "See the list of calendars you are subscribed to"),
        ("calendar.calendars", "See and change the properties of your calendars"),
        ("calendar.calendars.readonly", "See the properties of your calendars"),
        ("calendar.events", "See and change events on all your calendars"),
        ("calendar.events.readonly", "See events on all your calendars"),
        ("calendar.events.owned", "See and change events on calendars you own"),
        ("calendar.events.owned.readonly", "See events on calendars you own"),
        ("calendar.events.public.readonly", "See events on public calendars"),
        ("calendar.events.freebusy", "See when you are free or busy, on all your calendars"),
        ("calendar.freebusy", "See when you are free or busy"),
        ("calendar.acls", "See and change who your calendars are shared with"),
        ("calendar.acls.readonly", "See who your calendars are shared with"),
        ("calendar.app.created", "Create calendars, and see and change their events"),
        ("calendar.settings", "See and change your calendar settings"),
        ("calendar.settings.readonly", "See your calendar settings"),
      ].map { OfferedScope(Scope(google + $0), $1) }

    /// The scopes of the Meetup-like provider.
    static let meetup = [OfferedScope("basic", "See your city, country, photo and topics")]

    static let google = "https://www.googleapis.com/auth/"

    /// Google's names of two OpenID Connect scopes.
    static let longNames: [Scope: Scope] = [
      .email: Scope(google + "userinfo.email"), .profile: Scope(google + "userinfo.profile"),
    ]
  }
}
