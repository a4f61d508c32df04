// SPDX-License-Identifier: Apache-2.0

import Support
public import Timekeeping

extension WatchChannel {
  /// Creates a channel for a `watch` method, with an identifier and a token that cannot be guessed.
  ///
  /// ```swift
  /// let channel = WatchChannel(address: "https://example.org/notifications")
  /// let opened = try await client.events.watch(channel, in: "primary")
  /// print(opened.expirationTime ?? "no expiration")
  /// ```
  ///
  /// Keep what `watch` returns: ``ChannelNotification/belongs(to:)`` compares with it, and ``ChannelsResource`` stops it. A
  /// channel cannot be renewed: open another one before it expires.
  ///
  /// - Parameters:
  ///   - address: The HTTPS URL to which notifications are delivered.
  ///   - id: The identifier of the channel, at most 64 characters.
  ///   - token: What every notification carries, at most 256 characters.
  ///   - expiration: When the channel should expire. Google may choose an earlier time, and chooses a week if it is `nil`.
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

  /// When the channel expires: ``expiration`` as a time.
  ///
  /// Fractions of a millisecond are cut off when it is set.
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
  /// Milliseconds since 1970, or the nearest number that there is.
  fileprivate var millisecondsSince1970: Int64 {
    let (milliseconds, overflow) = secondsSince1970.multipliedReportingOverflow(by: 1000)
    if overflow { return secondsSince1970 < 0 ? .min : .max }
    let (sum, isTooLarge) = milliseconds.addingReportingOverflow(Int64(nanoseconds / 1_000_000))
    return isTooLarge ? .max : sum
  }
}
