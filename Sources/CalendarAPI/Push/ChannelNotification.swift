// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Support
public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A push notification: that a watched resource has changed, not how
/// ([push notifications](https://developers.google.com/workspace/calendar/api/guides/push)).
///
/// Google sends it as a POST request without a body to the URL of a ``WatchChannel``. Respond with the status 200, 201, 202, 204
/// or 102 at once, and read the changes afterwards. Notifications may be lost or come twice.
///
/// ```swift
/// let notification = try ChannelNotification(request.fields)
/// if notification.belongs(to: channel), notification.resourceState != .sync {
///   print("Something changed in \(notification.resourceURI).")
/// }
/// ```
///
/// Anyone who knows the URL can send such a request: use none before ``belongs(to:)`` or ``hasToken(_:)`` has compared
/// its token. Its description shows neither the token nor the identifiers.
public struct ChannelNotification: Sendable, Hashable {
  /// The identifier of the channel, which the client has chosen.
  public let channelId: String
  /// When the channel expires, if the notification says so in a way that can be read.
  public let expiration: Timestamp?
  /// The number of the message: 1 for the first one, which has the state ``ResourceState/sync``, and larger for each of the
  /// following, with gaps.
  public let messageNumber: Int64
  /// The identifier of the watched resource, which the server has chosen.
  public let resourceID: String
  /// What happened.
  public let resourceState: ResourceState
  /// The URI of the watched resource, for this version of the API.
  public let resourceURI: String
  /// A secret of the client's.
  private let token: String?

  /// Reads a notification.
  ///
  /// - Parameter fields: The header fields of the request. Others than those of notifications are ignored.
  /// - Throws: ``ChannelNotificationError``, with the name of the field that is at fault.
  public init(_ fields: HTTPFields) throws(ChannelNotificationError) {
    channelId = try fields.required(.channelId)
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

  /// Returns whether the notification has a token.
  ///
  /// The time it takes tells nothing about where two tokens of one length differ.
  public func hasToken(_ expected: String) -> Bool {
    guard let token else { return false }
    return ConstantTime.equal(token, expected)
  }

  /// Returns whether the notification is one of a channel: identifier, resource, if the channel names it, and token are
  /// those of the channel, which must have a token.
  public func belongs(to channel: WatchChannel) -> Bool {
    guard let expected = channel.token, hasToken(expected) else { return false }
    return channelId == channel.id && (channel.resourceID ?? resourceID) == resourceID
  }
}

extension ChannelNotification {
  /// What happened to a watched resource.
  public struct ResourceState: OpenEnumeration {
    /// The value as the API has it.
    public let rawValue: String

    /// Creates a value from what the API has.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing yet: the channel has been created.
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

  /// A mirror that shows neither the token nor an identifier.
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

/// Why a request is no push notification.
///
/// Respond to it with the status 400.
public struct ChannelNotificationError: Error, Sendable, Hashable {
  /// What is wrong with a header field.
  public enum Reason: Sendable, Hashable {
    /// It is missing or empty.
    case missing
    /// It occurs more than once.
    case repeated
    /// Its value is not what a notification has.
    case malformed
  }

  /// A header field of a notification.
  public enum Field: String, Sendable, Hashable {
    /// The identifier of the channel.
    case channelId = "X-Goog-Channel-ID"
    /// When the channel expires.
    case channelExpiration = "X-Goog-Channel-Expiration"
    /// The token of the channel.
    case channelToken = "X-Goog-Channel-Token"
    /// The number of the message.
    case messageNumber = "X-Goog-Message-Number"
    /// The identifier of the watched resource.
    case resourceID = "X-Goog-Resource-ID"
    /// What happened.
    case resourceState = "X-Goog-Resource-State"
    /// The URI of the watched resource.
    case resourceURI = "X-Goog-Resource-URI"
  }

  /// What is wrong with the field.
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
  /// What is wrong, in a sentence; never a value.
  public var description: String {
    let fault =
      switch reason {
      case .missing: "is missing"
      case .repeated: "occurs more than once"
      case .malformed: "is malformed"
      }
    return "This is no push notification of Google's: the header field \(field.rawValue) \(fault)."
  }

  /// The description.
  public var errorDescription: String? { description }
}
