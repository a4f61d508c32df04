// SPDX-License-Identifier: Apache-2.0

/// The exchanges and sockets that libcurl has, and the watchdog, for callbacks on the transport's thread.
final class ActiveTransfers {
  let exchanges = ThreadOwned(ActiveExchanges())
  let sockets: ThreadOwned<SocketSet>
  let watchdog: Watchdog
  /// The streamed exchanges that have to be paused.
  ///
  /// They are paused after libcurl returns. If a callback paused an exchange, libcurl itself would store the rest of the data
  /// that it is decoding, without a limit.
  var fullStreams: [Exchange] = []

  init(sockets: SocketSet, watchdog: Watchdog) {
    self.sockets = ThreadOwned(sockets)
    self.watchdog = watchdog
  }

  /// Whether there is another exchange, which could use a connection as soon as it is free.
  var hasSeveral: Bool { exchanges.value.all.count > 1 }
}

/// The exchanges that libcurl has.
///
/// Each exchange knows its position in the list, so it is found, added and removed without a search.
struct ActiveExchanges {
  private(set) var all: [Exchange] = []

  mutating func insert(_ exchange: Exchange) {
    exchange.position = all.count
    all.append(exchange)
  }

  /// - Returns: Whether the exchange was there.
  mutating func remove(_ exchange: Exchange) -> Bool {
    guard let position = exchange.position else { return false }
    exchange.position = nil
    let last = all.removeLast()
    if last !== exchange {
      all[position] = last
      last.position = position
    }
    return true
  }
}
