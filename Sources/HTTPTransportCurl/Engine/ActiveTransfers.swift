// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The active transfers, whose handles were added to libcurl.
///
/// Each exchange stores the position of its transfer in the list. Finding, adding and removing a transfer therefore need no
/// search.
struct ActiveTransfers {
  private(set) var all: [Transfer] = []

  /// Returns the transfer of an exchange, or `nil` if it is not active.
  func transfer(of exchange: Exchange) -> Transfer? {
    let position = exchange.position.load(ordering: .relaxed)
    return position < 0 ? nil : all[position]
  }

  mutating func insert(_ transfer: Transfer) {
    transfer.exchange.position.store(all.count, ordering: .relaxed)
    all.append(transfer)
  }

  /// - Returns: Whether the transfer was active.
  mutating func remove(_ transfer: Transfer) -> Bool {
    let position = transfer.exchange.position.exchange(-1, ordering: .relaxed)
    guard position >= 0 else { return false }
    let last = all.removeLast()
    if last !== transfer {
      all[position] = last
      last.exchange.position.store(position, ordering: .relaxed)
    }
    return true
  }
}
