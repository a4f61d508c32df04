// SPDX-License-Identifier: Apache-2.0

import Support
public import Timekeeping

extension WatchChannel {
  /// Creates a channel for a `watch` method, with an unguessable identifier and token.
  ///
  /// ```swift
  /// let channel = WatchChannel(address: "https://example.org/notifications")
  /// let opened = try await client.events.watch(channel, in: "primary")
  /// print(opened.expirationTime ?? "no expiration")
  /// ```
  ///
  /// Store the channel returned by `watch`: ``ChannelNotification/belongs(to:)`` needs it to verify notifications, and
  /// ``ChannelsResource`` to stop the channel. A channel cannot be renewed: open another one before it expires.
  ///
  /// - Parameters:
  ///   - address: The HTTPS URL for receiving the notifications.
  ///   - id: The identifier of the channel, at most 64 characters.
  ///   - token: The token contained in every notification, at most 256 characters.
  ///   - expiration: The requested expiration time. Google may choose an earlier time. Defaults to Google's choice, one week.
  public init(
    address: String, id: String = WatchChannel.makeIdentifier(), token: String = WatchChannel.makeToken(),
    expiration: Timestamp? = nil
  ) {
    self.init()
    type = .webHook
    self.address = address
    self.id = id
    self.token = token
    expirationTime = expiration
  }

  /// The expiration time of the channel: ``expiration`` as a timestamp.
  ///
  /// Setting it drops fractions of a millisecond.
  public var expirationTime: Timestamp? {
    get { expiration.map { Timestamp.unixEpoch + .milliseconds($0) } }
    set { expiration = newValue?.millisecondsSince1970 }
  }

  /// Returns a random identifier.
  public static func makeIdentifier() -> String { randomToken() }

  /// Returns a random token.
  public static func makeToken() -> String { randomToken() }
}

extension Timestamp {
  /// The milliseconds since 1970, clamped to the range of `Int64`.
  fileprivate var millisecondsSince1970: Int64 {
    let (milliseconds, overflow) = secondsSince1970.multipliedReportingOverflow(by: 1000)
    if overflow { return secondsSince1970 < 0 ? .min : .max }
    let (sum, isTooLarge) = milliseconds.addingReportingOverflow(Int64(nanoseconds / 1_000_000))
    return isTooLarge ? .max : sum
  }
}
