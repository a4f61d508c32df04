// SPDX-License-Identifier: Apache-2.0

public import AppFlip
public import OAuthJOSE
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Sandbox {
  /// An application that is registered with the sandbox.
  public struct Client: Sendable, Hashable {
    /// How a client proves to be itself at the token and revocation endpoints
    /// ([RFC 6749 § 2.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3)).
    ///
    /// Only the registered way is accepted.
    public enum Authentication: Sendable, Hashable {
      /// A public client, which sends its identifier alone.
      case none
      /// The secret as a form parameter, `client_secret_post`.
      case clientSecretPost(Secret)
      /// Identifier and secret, form-encoded, in the `Authorization` field, `client_secret_basic`.
      case clientSecretBasic(Secret)
      /// The secret in either of the two ways, as Google accepts it.
      case clientSecret(Secret)
      /// An assertion that is signed with the secret, `client_secret_jwt`.
      ///
      /// The secret must have 32 bytes at least.
      case clientSecretJWT(Secret)
      /// An assertion that is signed with a private key, whose public half is in the set, `private_key_jwt`.
      case privateKeyJWT(JWKSet)
      /// The certificate with these DER bytes, `tls_client_auth`.
      ///
      /// The sandbox ends no TLS connection: it reads the certificate from the field `Client-Cert`, which a proxy sets
      /// ([RFC 9440](https://www.rfc-editor.org/rfc/rfc9440.html)).
      case tlsClientCertificate([UInt8])
    }

    /// The client identifier.
    public var id: String
    /// The name that the consent page shows.
    public var name: String
    /// The redirect URIs that responses may be sent to.
    ///
    /// A URL must match exactly, but for the port of one with a loopback IP literal
    /// ([RFC 8252 § 7.3](https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3)).
    public var redirectURIs: [String]
    /// How the client authenticates.
    public var authentication: Authentication
    /// The redirect URIs of App Flip that responses may be sent to, too, for a client that is linked; `AppFlipRedirect/google` has
    /// Google's.
    ///
    /// Such a URL counts only here, not among ``redirectURIs``.
    ///
    /// A client that authenticates may leave PKCE out for them: Google's app sends no challenge, and the code is of no use
    /// without the client's secret.
    public var appFlipRedirects: Set<AppFlipRedirect>
    /// Where the server treats the client as Google does, not as strictly as the specifications allow.
    public var googleBehaviors: Set<GoogleBehavior>
    /// The public keys that the client's request objects are signed with
    /// ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)); `nil` for a client that does not sign.
    public var requestObjectKeys: JWKSet?
    /// Where the user may be sent back to after signing out
    /// ([OpenID Connect RP-Initiated Logout § 3.1](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#ClientMetadata)).
    public var postLogoutRedirectURIs: [String] = []
    /// Where the client is told that the user's session has ended
    /// ([OpenID Connect Back-Channel Logout § 2.2](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRegistration)).
    public var backChannelLogoutURI: URL?
    /// Whether every request of the client must be signed.
    public var requiresSignedRequests = false
    /// Whether the client gets no token that is not bound to a key
    /// ([RFC 9449 § 5.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-5.2)).
    public var requiresBoundTokens = false

    /// Registers a client.
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

    /// A public client with the identifier `almanac`, which listens on `/callback` of either loopback address.
    public static let native = Client(
      id: "almanac", name: "Almanac", redirectURIs: ["http://127.0.0.1/callback", "http://[::1]/callback"])

    /// A client like Google's of the type *Desktop app*, with every ``GoogleBehavior``: its identifier is `almanac-desktop`, and
    /// its secret, `sandbox-secret`, is not confidential.
    public static let desktop = Client(
      id: "almanac-desktop", name: "Desktop app", redirectURIs: [],
      authentication: .clientSecret(Secret("sandbox-secret")), googleBehaviors: Set(GoogleBehavior.allCases))

    /// A client of the Meetup-like provider, with the identifier `almanac-meetup` and the secret `sandbox-secret` as a form
    /// parameter, which listens where ``native`` does.
    public static let meetup = Client(
      id: "almanac-meetup", name: "Almanac", redirectURIs: native.redirectURIs,
      authentication: .clientSecretPost(Secret("sandbox-secret")))
  }
}

extension Sandbox.Client {
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

/// A redirect URI on loopback, without its port: what has to agree with the registered one.
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
  /// Something that an application may ask for.
  public struct Scope: Sendable, Hashable {
    /// The scope as it is sent.
    public var name: String
    /// What it allows, as the consent page puts it.
    public var explanation: String

    /// Creates a scope.
    public init(_ name: String, _ explanation: String) {
      self.name = name
      self.explanation = explanation
    }

    /// OpenID Connect's and Google Calendar's scopes.
    public static let all =
      [
        Scope("openid", "Know which account you use"),
        Scope("email", "See your e-mail address"),
        Scope("profile", "See your name and picture"),
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
        ("calendar.app.created", "Make calendars of its own, and see and change their events"),
        ("calendar.settings", "See and change your calendar settings"),
        ("calendar.settings.readonly", "See your calendar settings"),
      ].map { Scope(google + $0, $1) }

    /// What the Meetup-like provider knows.
    static let meetup = [Scope("basic", "See your city, country, photo and topics")]

    static let google = "https://www.googleapis.com/auth/"

    /// Google's own names of two scopes of OpenID Connect.
    static let longNames = ["email": google + "userinfo.email", "profile": google + "userinfo.profile"]
  }
}
