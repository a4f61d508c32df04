// SPDX-License-Identifier: Apache-2.0

/// A queue of deadlines, each of which can be moved or removed at any time.
///
/// It is a binary heap. A deadline that moves later, or is removed, leaves its entry in the heap until the entry
/// reaches the top or most entries are obsolete. Moving a deadline later, the frequent case, therefore does not change
/// the heap.
///
/// It is public and inlinable so other modules can specialize it for their types. Without specialization, it takes six
/// times as long.
///
/// - Complexity: O(log *n*) amortised for every change. The memory is proportional to ``count``.
public struct DeadlineQueue<Key: Hashable & Sendable, Instant: Comparable & Sendable>: Sendable {
  @usableFromInline struct Item: Sendable {
    /// The deadline, or `nil` after it was removed.
    @usableFromInline var deadline: Instant?
    /// The deadline of the key's first entry in the heap, never after `deadline`.
    @usableFromInline var queued: Instant

    @inlinable init(deadline: Instant?, queued: Instant) {
      self.deadline = deadline
      self.queued = queued
    }
  }

  @usableFromInline struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let deadline: Instant

    @inlinable init(key: Key, deadline: Instant) {
      self.key = key
      self.deadline = deadline
    }
  }

  @usableFromInline var items: [Key: Item] = [:]
  @usableFromInline var heap: [Entry] = []

  /// The number of keys with a deadline.
  @inlinable public var count: Int { keyCount }

  @usableFromInline var keyCount = 0

  /// Creates an empty queue.
  @inlinable public init() {}

  /// The number of heap entries, including obsolete ones.
  @inlinable public var entryCount: Int { heap.count }

  /// The deadline of a key, or `nil` for none.
  @inlinable public subscript(key: Key) -> Instant? {
    get { items[key]?.deadline }
    set {
      // The items are read and written as a whole: changing one in place takes three allocations.
      var item = items[key]
      keyCount += (newValue == nil ? 0 : 1) - (item?.deadline == nil ? 0 : 1)
      if let newValue, item.map({ newValue < $0.queued }) ?? true {
        items[key] = Item(deadline: newValue, queued: newValue)
        push(Entry(key: key, deadline: newValue))
      } else if item != nil {
        item?.deadline = newValue
        items[key] = item
      }
      if heap.count > 2 * count + 16 { rebuild() }
    }
  }

  /// Returns the key with the earliest deadline, or `nil` if there is no deadline.
  @inlinable public mutating func earliest() -> (key: Key, deadline: Instant)? {
    while let top = heap.first {
      guard let item = items[top.key], item.queued == top.deadline else {
        removeTop()
        continue
      }
      if item.deadline == top.deadline { return (top.key, top.deadline) }
      removeTop()
      if let deadline = item.deadline {
        items[top.key] = Item(deadline: deadline, queued: deadline)
        push(Entry(key: top.key, deadline: deadline))
      } else {
        items[top.key] = nil
      }
    }
    return nil
  }

  /// Removes the key with the earliest deadline if it has been reached, and returns the key.
  @inlinable public mutating func removeEarliest(dueAt now: Instant) -> Key? {
    guard let (key, deadline) = earliest(), deadline <= now else { return nil }
    removeTop()
    items[key] = nil
    keyCount -= 1
    return key
  }
}

extension DeadlineQueue {
  @inlinable mutating func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  @inlinable mutating func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(from: 0)
  }

  @inlinable mutating func siftDown(from start: Int) {
    var parent = start
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline { child += 1 }
      guard heap[child].deadline < heap[parent].deadline else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }

  /// Removes the obsolete entries.
  @inlinable mutating func rebuild() {
    heap.removeAll(keepingCapacity: true)
    var current: [Key: Item] = [:]
    current.reserveCapacity(count)
    for (key, item) in items {
      guard let deadline = item.deadline else { continue }
      current[key] = Item(deadline: deadline, queued: deadline)
      heap.append(Entry(key: key, deadline: deadline))
    }
    items = current
    for parent in (0..<heap.count / 2).reversed() { siftDown(from: parent) }
  }
}
