// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// A resource watched by a channel.
enum WatchedResource: Sendable, Hashable {
  case acl(String)
  case calendarList(String)
  case events(String)
  case settings(String)
}

/// A channel for push notifications.
struct NotificationChannel: Sendable {
  let id: String
  /// The URL for receiving notifications.
  let address: String
  let token: String?
  let expires: Timestamp
  let resource: WatchedResource
  let resourceID: String
  let resourceURI: String
  let user: String
  let clientID: String
  /// The number of the last message.
  ///
  /// The first message has number 1.
  var messages = 0
}

/// A message to the receiver of a channel.
struct ChannelMessage: Sendable {
  let channel: NotificationChannel
  /// `sync`, `exists` or `not_exists`.
  let state: String
}

/// The open channels, and the messages to be sent.
struct ChannelTable: Sendable {
  private(set) var channels: [String: NotificationChannel] = [:]
  private(set) var outbox: [ChannelMessage] = []

  /// Opens a channel and adds its first message, `sync`.
  ///
  /// Returns `false` if an open channel has the same identifier.
  mutating func open(_ channel: NotificationChannel, now: Timestamp) -> Bool {
    if let known = channels[channel.id], known.expires > now { return false }
    channels[channel.id] = channel
    send("sync", through: channel.id)
    return true
  }

  /// Closes a channel.
  ///
  /// Returns `false` if the user and client have no such channel.
  mutating func close(id: String, resourceID: String, user: String, clientID: String) -> Bool {
    guard let channel = channels[id], channel.resourceID == resourceID, channel.user == user,
      channel.clientID == clientID
    else { return false }
    channels[id] = nil
    return true
  }

  /// Adds a message to each channel that watches one of the changed resources.
  mutating func announce(_ resources: Set<WatchedResource>, now: Timestamp) {
    guard !channels.isEmpty, !resources.isEmpty else { return }
    channels = channels.filter { $0.value.expires > now }
    for channel in channels.values where resources.contains(channel.resource) { send("exists", through: channel.id) }
  }

  /// Removes and returns the messages to be sent.
  mutating func takeOutbox() -> [ChannelMessage] {
    defer { outbox = [] }
    return outbox
  }

  private mutating func send(_ state: String, through id: String) {
    channels[id]?.messages += 1
    if let channel = channels[id] { outbox.append(ChannelMessage(channel: channel, state: state)) }
  }
}
