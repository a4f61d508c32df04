// SPDX-License-Identifier: Apache-2.0

/// The exchanges that libcurl has.
///
/// Each knows its place in the list, so that one is found, added and removed without a search.
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
