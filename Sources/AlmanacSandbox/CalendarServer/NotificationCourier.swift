// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Delivers notifications: those of one channel in their order, those of several at the same time.
final class NotificationCourier: Sendable {
  private let transport: any Transport
  private let clock: any WallClock
  /// The last delivery of each channel.
  private let deliveries = Mutex<[String: Task<Void, Never>]>([:])

  init(transport: any Transport, clock: any WallClock) {
    self.transport = transport
    self.clock = clock
  }

  /// Begins to deliver messages, each once the change that it tells of is on the disk; never if that fails.
  func deliver(_ messages: [ChannelMessage], after journal: CalendarJournal?) {
    for message in messages {
      deliveries.withLock { deliveries in
        let previous = deliveries[message.channel.id]
        deliveries[message.channel.id] = Task { [transport, clock] in
          await previous?.value
          if let journal { guard (try? await journal.synchronize()) != nil else { return } }
          await Self.send(message, transport, clock)
        }
      }
    }
  }

  /// Returns when everything that was begun is delivered or given up.
  func finish() async {
    for task in deliveries.withLock({ Array($0.values) }) { await task.value }
  }

  /// Sends a message; after an error of the receiver or the network, up to twice more.
  private static func send(_ message: ChannelMessage, _ transport: any Transport, _ clock: any WallClock) async {
    guard let request = request(for: message) else { return }
    for attempt in 0..<3 {
      if attempt > 0 {
        guard (try? await clock.sleep(until: clock.now + .seconds(attempt))) != nil else { return }
      }
      let status = (try? await transport.send(request))?.status
      if let status, ![500, 502, 503, 504].contains(status) { return }
    }
  }

  /// The message as Google sends it ([guide](https://developers.google.com/workspace/calendar/api/guides/push#receiving)).
  private static func request(for message: ChannelMessage) -> HTTPRequest? {
    let channel = message.channel
    guard let url = URL(string: channel.address) else { return nil }
    var request = HTTPRequest(
      .post, url,
      fields: [
        "X-Goog-Channel-ID": channel.id, "X-Goog-Channel-Expiration": HTTPDate.format(channel.expires),
        "X-Goog-Message-Number": String(channel.messages), "X-Goog-Resource-ID": channel.resourceID,
        "X-Goog-Resource-State": message.state, "X-Goog-Resource-URI": channel.resourceURI,
      ])
    request.fields["X-Goog-Channel-Token"] = channel.token
    request.timeout = .seconds(10)
    request.body = []
    return request
  }
}
