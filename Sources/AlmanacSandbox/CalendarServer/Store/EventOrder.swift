// SPDX-License-Identifier: Apache-2.0

/// The slots of events, sorted by a key.
///
/// Each event has one key.
///
/// The entries are in blocks. A change moves the entries of one block only.
///
/// - Complexity: O(log *n*) to find an entry. A change also moves at most ``blockSize`` entries. A few changes also move the
///   blocks, of which there are at most about *n* / 256.
struct EventOrder: Sendable {
  struct Entry: Sendable {
    let key: SortKey
    let slot: Int
  }

  private static let blockSize = 512

  /// The entries in order, without empty blocks.
  private var blocks: [[Entry]] = []

  mutating func insert(_ key: SortKey, _ slot: Int) {
    let entry = Entry(key: key, slot: slot)
    var (block, index) = position(after: key)
    // An entry after all others is added to the last block.
    if block == blocks.count, let last = blocks.last { (block, index) = (block - 1, last.count) }
    guard block < blocks.count else {
      blocks.append([entry])
      return
    }
    guard blocks[block].count == Self.blockSize else {
      blocks[block].insert(entry, at: index)
      return
    }
    // Entries that are added in order fill their blocks. Any other entry splits a full block into halves.
    let cut = index == Self.blockSize ? index : Self.blockSize / 2
    var upper = Array(blocks[block][cut...])
    blocks[block].removeSubrange(cut...)
    if index < cut { blocks[block].insert(entry, at: index) } else { upper.insert(entry, at: index - cut) }
    blocks.insert(upper, at: block + 1)
  }

  mutating func remove(_ key: SortKey) {
    let (block, index) = position { $0 < key }
    guard block < blocks.count, blocks[block][index].key == key else { return }
    blocks[block].remove(at: index)
    if blocks[block].isEmpty { blocks.remove(at: block) }
  }

  /// Returns the entries after a key in order, or all entries without a key.
  func entries(after key: SortKey? = nil) -> Entries {
    let (block, index) = key.map { position(after: $0) } ?? (0, 0)
    return Entries(blocks: blocks, block: block, index: index)
  }

  struct Entries: Sequence, IteratorProtocol {
    fileprivate let blocks: [[Entry]]
    fileprivate var block: Int
    fileprivate var index: Int

    mutating func next() -> Entry? {
      guard block < blocks.count else { return nil }
      defer {
        index += 1
        if index == blocks[block].count { (block, index) = (block + 1, 0) }
      }
      return blocks[block][index]
    }
  }

  private func position(after key: SortKey) -> (block: Int, index: Int) { position { !(key < $0) } }

  /// Returns the position of the first entry whose key does not meet a condition.
  private func position(where isBefore: (SortKey) -> Bool) -> (block: Int, index: Int) {
    let block = blocks.countOfFirst { $0.last.map { isBefore($0.key) } ?? true }
    guard block < blocks.count else { return (block, 0) }
    return (block, blocks[block].countOfFirst { isBefore($0.key) })
  }
}

extension Array {
  /// Returns the number of elements that meet a condition.
  ///
  /// These elements must be before all others.
  ///
  /// - Complexity: O(log *n*)
  func countOfFirst(where isMet: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isMet(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
