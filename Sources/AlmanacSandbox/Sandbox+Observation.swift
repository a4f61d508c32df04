// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import Timekeeping

extension Sandbox {
  /// A back-channel authentication request that waits for its user
  /// ([CIBA Core § 7](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#auth_request)).
  public struct BackchannelRequest: Sendable, Hashable {
    /// The identifier that the user's device has for the request; the client has another.
    public let id: String
    /// The identifier of the client.
    public let clientID: String
    /// The e-mail address of the user.
    public let user: String
    /// The requested scopes.
    public let scopes: [String]
    /// The text that the client's device and the user's device both show.
    public let bindingMessage: String?
  }

  /// A part of the sandbox that requests are counted for.
  public enum Endpoint: Sendable, Hashable, CaseIterable {
    /// The metadata documents of the server and its resources.
    case metadata
    /// `/authorize`, and its like of the Meetup-like provider.
    case authorization
    /// What the consent page posts to.
    case consent
    /// `/token`, and its like of the Meetup-like provider.
    case token
    /// `/introspect`.
    case introspection
    /// `/register`, and what is below it.
    case registration
    /// `/par`, for pushed authorization requests.
    case pushedAuthorization
    /// `/device_authorization`.
    case deviceAuthorization
    /// `/device`, where the user enters a device's code.
    case device
    /// `/backchannel_authentication`.
    case backchannelAuthentication
    /// The servers of ``Sandbox/Configuration/googleCloud``, served below this origin.
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
    /// The colours.
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
    /// Batches of calls, each of which is counted itself.
    case batch
    /// The member of the Meetup-like provider.
    case member
    /// What controls the sandbox from outside.
    case control
    /// Anything else.
    case other
  }

  /// Something that happened in the sandbox.
  ///
  /// It never holds a token, code or secret.
  public struct LogEntry: Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A consent page was shown.
      case consentShown
      /// An authorization request was refused.
      case authorizationRefused
      /// The user allowed access.
      case accessAllowed
      /// The user denied access.
      case accessDenied
      /// A code was redeemed for tokens.
      case codeRedeemed
      /// A code was presented for the second time: the grant ended.
      case codeReplayed
      /// A token was issued for a grant without a user.
      case tokenIssued
      /// An access token was refreshed.
      case tokenRefreshed
      /// A refresh token that had been replaced was presented again: the grant ended.
      case refreshTokenReused
      /// A token request was refused.
      case tokenRequestRefused
      /// A request was refused because its proof lacked the newest nonce.
      case nonceDemanded
      /// A token was revoked.
      case tokenRevoked
      /// The user's session has ended.
      case userSignedOut
      /// A client was told that the user's session has ended.
      case logoutSent
      /// The Calendar API was called.
      case apiCalled
      /// A call was refused for want of a good access token.
      case apiRefused
    }

    /// When it happened, by the sandbox's clock.
    public let time: Timestamp
    /// What happened.
    public let kind: Kind
    /// The identifier of the client concerned, as far as it is known.
    public let client: String?
    /// More about it: an error's code, the scopes, a path.
    public let detail: String

    /// Time, kind, client and detail in a line.
    public var description: String {
      [time.rfc3339(fractionDigits: 0), kind.rawValue, client ?? "", detail].filter { !$0.isEmpty }
        .joined(separator: "  ")
    }
  }

  /// What has happened so far, oldest first; the newest 9,000 entries at least.
  public var log: [LogEntry] { requests.entries }

  /// How many requests have reached an endpoint so far.
  public func requestCount(_ endpoint: Endpoint) -> Int { requests.count(of: endpoint) }

  /// How many requests have requested a refresh so far, granted or not.
  public var refreshRequestCount: Int { requests.refreshCount }

  /// How many consent requests, grants, codes and tokens the sandbox remembers.
  package var rememberedCount: Int { authorization.rememberedCount }

  /// Returns when every notification of the calls so far is delivered, or given up.
  ///
  /// Without ``Configuration/notificationTransport`` it returns at once.
  public func notificationsDelivered() async { await calendars.courier?.finish() }
}
