// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import PlatformFoundation
import Support
public import Timekeeping

/// A push notification about a change of a watched resource
/// ([push notifications](https://developers.google.com/workspace/calendar/api/guides/push)).
///
/// A notification does not contain the change. Google sends it as a POST request without a body to the URL of a ``WatchChannel``.
/// Respond immediately with status 200, 201, 202, 204 or 102, and read the changes afterwards. Google can lose or repeat
/// notifications.
///
/// ```swift
/// let notification = try ChannelNotification(request.fields)
/// if notification.belongs(to: channel), notification.resourceState != .sync {
///   print("Something changed in \(notification.resourceURI).")
/// }
/// ```
///
/// Anyone who knows the URL can send such a request. Before you use a notification, verify its token with ``belongs(to:)`` or
/// ``hasToken(_:)``. The description contains neither the token nor the identifiers.
public struct ChannelNotification: Sendable, Hashable {
  /// The identifier of the channel, which the client has chosen.
  public let channelID: String
  /// The expiration time of the channel, or `nil` if it is missing or malformed.
  public let expiration: Timestamp?
  /// The number of the message.
  ///
  /// The first message, with state ``ResourceState/sync``, has number 1. Later numbers increase, with gaps.
  public let messageNumber: Int64
  /// The identifier of the watched resource, which the server has chosen.
  public let resourceID: String
  /// The state of the watched resource.
  public let resourceState: ResourceState
  /// The URI of the watched resource, for this version of the API.
  public let resourceURI: String
  /// The channel's token, a secret of the client.
  private let token: String?

  /// Reads a notification.
  ///
  /// - Parameter fields: The header fields of the request. Unrelated fields are ignored.
  /// - Throws: ``ChannelNotificationError``, with the name of the invalid field.
  public init(_ fields: HTTPFields) throws(ChannelNotificationError) {
    channelID = try fields.required(.channelID)
    resourceID = try fields.required(.resourceID)
    resourceURI = try fields.required(.resourceURI)
    resourceState = ResourceState(rawValue: try fields.required(.resourceState))
    let number = try fields.required(.messageNumber)
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let messageNumber = Int64(number), messageNumber > 0
    else { throw ChannelNotificationError(.malformed, .messageNumber) }
    self.messageNumber = messageNumber
    expiration = try fields.single(.channelExpiration).flatMap(HTTPDate.parse)
    token = try fields.single(.channelToken)
  }

  /// Returns whether the notification has this token.
  ///
  /// Tokens of the same length are compared in constant time.
  public func hasToken(_ expected: String) -> Bool {
    guard let token else { return false }
    return ConstantTime.equal(token, expected)
  }

  /// Returns whether the notification belongs to a channel.
  ///
  /// The identifier, the token and, if the channel has one, the resource identifier must match. A channel without a token never
  /// matches.
  public func belongs(to channel: WatchChannel) -> Bool {
    guard let expected = channel.token, hasToken(expected) else { return false }
    return channelID == channel.id && (channel.resourceID ?? resourceID) == resourceID
  }
}

extension ChannelNotification {
  /// The state of a watched resource.
  public struct ResourceState: OpenEnumeration {
    /// The value in the API.
    public let rawValue: String

    /// Creates a state from its value in the API.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The channel was created.
    ///
    /// The resource has not changed.
    public static let sync: ResourceState = "sync"
    /// The resource was created or has changed.
    public static let exists: ResourceState = "exists"
    /// The resource was deleted.
    public static let notExists: ResourceState = "not_exists"
  }
}

extension ChannelNotification: CustomStringConvertible, CustomReflectable {
  /// The state and the number of the message.
  public var description: String { "\(resourceState), message \(messageNumber)" }

  /// A mirror without the token and the identifiers.
  public var customMirror: Mirror {
    Mirror(self, children: ["resourceState": resourceState, "messageNumber": messageNumber])
  }
}

extension HTTPFields {
  fileprivate func required(_ name: ChannelNotificationError.Field) throws(ChannelNotificationError) -> String {
    guard let value = try single(name), !value.isEmpty else { throw ChannelNotificationError(.missing, name) }
    return value
  }

  fileprivate func single(_ name: ChannelNotificationError.Field) throws(ChannelNotificationError) -> String? {
    let values = values(for: name.rawValue)
    guard values.count <= 1 else { throw ChannelNotificationError(.repeated, name) }
    return values.first
  }
}

/// An error in a request that is not a valid push notification.
///
/// Respond to the request with status 400.
public struct ChannelNotificationError: Error, Sendable, Hashable {
  /// The problem with a header field.
  public enum Reason: Sendable, Hashable {
    /// The field is missing or empty.
    case missing
    /// The field occurs more than once.
    case repeated
    /// The value of the field is not valid.
    case malformed
  }

  /// A header field of a notification.
  public enum Field: String, Sendable, Hashable {
    /// The identifier of the channel.
    case channelID = "X-Goog-Channel-ID"
    /// The expiration time of the channel.
    case channelExpiration = "X-Goog-Channel-Expiration"
    /// The token of the channel.
    case channelToken = "X-Goog-Channel-Token"
    /// The number of the message.
    case messageNumber = "X-Goog-Message-Number"
    /// The identifier of the watched resource.
    case resourceID = "X-Goog-Resource-ID"
    /// The state of the watched resource.
    case resourceState = "X-Goog-Resource-State"
    /// The URI of the watched resource.
    case resourceURI = "X-Goog-Resource-URI"
  }

  /// The problem with the field.
  public let reason: Reason
  /// The field.
  public let field: Field

  /// Creates an error.
  public init(_ reason: Reason, _ field: Field) {
    self.reason = reason
    self.field = field
  }
}

extension ChannelNotificationError: CustomStringConvertible, LocalizedError {
  /// A sentence about the problem, never a value.
  public var description: String {
    let fault =
      switch reason {
      case .missing: "is missing"
      case .repeated: "occurs more than once"
      case .malformed: "is malformed"
      }
    return "The request is not a Google push notification: the header field \(field.rawValue) \(fault)."
  }

  /// The ``description``.
  public var errorDescription: String? { description }
}
