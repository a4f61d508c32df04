// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
    case resourceId = "X-Goog-Resource-ID"
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
