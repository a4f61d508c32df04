// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
import Synchronization
import Timekeeping

/// A courier of notifications, which delivers them sequentially for one channel and concurrently for several.
final class NotificationCourier: Sendable {
  private let transport: any Transport
  private let clock: any WallClock
  /// The last delivery of each channel.
  private let deliveries = Mutex<[String: Task<Void, Never>]>([:])

  init(transport: any Transport, clock: any WallClock) {
    self.transport = transport
    self.clock = clock
  }

  /// Starts to deliver messages, each after its change is on disk.
  ///
  /// If writing the change fails, the message is not sent.
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

  /// Waits until all deliveries have succeeded or been abandoned.
  func finish() async {
    for task in deliveries.withLock({ Array($0.values) }) { await task.value }
  }

  /// Sends a message.
  ///
  /// Retries up to twice if there is no response, or after status 500, 502, 503 or 504.
  private static func send(_ message: ChannelMessage, _ transport: any Transport, _ clock: any WallClock) async {
    guard let request = request(for: message) else { return }
    for attempt in 0..<3 {
      if attempt > 0 {
        guard (try? await clock.sleep(for: .seconds(attempt))) != nil else { return }
      }
      let status = (try? await transport.send(request))?.status
      if let status, ![500, 502, 503, 504].contains(status) { return }
    }
  }

  /// Returns the request sent by Google for a message
  /// ([guide](https://developers.google.com/workspace/calendar/api/guides/push#receiving)).
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
