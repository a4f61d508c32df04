// SPDX-License-Identifier: Apache-2.0

public import OAuthScope
import Synchronization
public import Timekeeping

extension Sandbox {
  /// A back-channel authentication request that awaits its user's decision
  /// ([CIBA Core §
  /// 7](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#auth_request)).
  public struct BackchannelRequest: Sendable, Hashable {
    /// The identifier of the request for the user's device.
    ///
    /// It differs from the client's `auth_req_id`.
    public let id: String
    /// The identifier of the client.
    public let clientID: String
    /// The e-mail address of the user.
    public let user: String
    /// The requested scopes.
    public let scopes: [Scope]
    /// The message shown on both the client's device and the user's device.
    public let bindingMessage: String?
  }

  /// An endpoint, or a group of endpoints, for counting requests.
  public enum Endpoint: Sendable, Hashable, CaseIterable {
    /// The metadata documents of the server and its resources, and the API's discovery document.
    case metadata
    /// `/authorize`, and the Meetup-like provider's authorization endpoint.
    case authorization
    /// The path for the consent form.
    case consent
    /// `/token`, and the Meetup-like provider's token endpoint.
    case token
    /// `/introspect`.
    case introspection
    /// `/register` and the paths below it.
    case registration
    /// `/par`, for pushed authorization requests.
    case pushedAuthorization
    /// `/device_authorization`.
    case deviceAuthorization
    /// `/device`, on which the user enters a device's code.
    case device
    /// `/backchannel_authentication`.
    case backchannelAuthentication
    /// The servers of ``Sandbox/googleCloud``, if they are served below this origin.
    case googleCloud
    /// `/revoke`.
    case revocation
    /// `/userinfo`.
    case userinfo
    /// `/logout`.
    case logout
    /// `/jwks.json`.
    case keys
    /// The access rules of calendars.
    case acl
    /// The list of calendars and its entries.
    case calendarList
    /// The colors.
    case colors
    /// The calendars themselves.
    case calendars
    /// The events of a calendar.
    case events
    /// The notification channels.
    case channels
    /// The free/busy information of calendars.
    case freeBusy
    /// The settings of the user.
    case settings
    /// Batches.
    ///
    /// Each call in a batch is also counted under its own endpoint.
    case batch
    /// The profile API of the Meetup-like provider.
    case member
    /// The control requests below `/sandbox/`.
    case control
    /// All other requests.
    case other
  }

  /// An event in the sandbox.
  ///
  /// Entries never contain a token, code or secret.
  public struct LogEntry: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an event.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A consent page was shown.
      case consentShown
      /// An authorization request was rejected.
      case authorizationRefused
      /// The user allowed access.
      case accessAllowed
      /// The user denied access.
      case accessDenied
      /// A code was redeemed for tokens.
      case codeRedeemed
      /// A code was presented again, which ended the grant.
      case codeReplayed
      /// A token was issued for a grant without a user.
      case tokenIssued
      /// An access token was refreshed.
      case tokenRefreshed
      /// A replaced refresh token was presented again, which ended the grant.
      case refreshTokenReused
      /// A token request was rejected.
      case tokenRequestRefused
      /// A request was rejected because its proof did not contain the newest nonce.
      case nonceDemanded
      /// A token was revoked.
      case tokenRevoked
      /// A user's session ended.
      case userSignedOut
      /// A client was notified of the end of a session.
      case logoutSent
      /// The Calendar API was called.
      case apiCalled
      /// A call was rejected because it had no valid access token or insufficient scopes.
      case apiRefused
    }

    /// The time of the event, on the sandbox's clock.
    public let time: Timestamp
    /// The kind of the event.
    public let kind: Kind
    /// The identifier of the client, if known.
    public let client: String?
    /// Additional information: an error code, the scopes, or a path.
    public let detail: String

    /// The time, kind, client and detail on one line.
    public var description: String {
      [time.rfc3339(fractionDigits: 0), kind.rawValue, client ?? "", detail].filter { !$0.isEmpty }
        .joined(separator: "  ")
    }
  }

  /// The events so far, oldest first.
  ///
  /// At least the newest 9,000 are kept.
  public var log: [LogEntry] { requests.entries }

  /// Returns the number of requests to an endpoint so far.
  public func requestCount(_ endpoint: Endpoint) -> Int { requests.count(of: endpoint) }

  /// The number of refresh requests so far, successful or not.
  public var refreshRequestCount: Int { requests.refreshCount }

  /// The number of stored consent requests, grants, codes and tokens.
  package var rememberedCount: Int { authorization.rememberedCount }

  /// Waits until all notifications of the calls so far are delivered or abandoned.
  ///
  /// Returns immediately if ``Configuration/notificationTransport`` is `nil`.
  public func notificationsDelivered() async { await calendars.courier?.finish() }
}
