// SPDX-License-Identifier: Apache-2.0

/// A queue from which any element can be removed.
///
/// - Complexity: O(1) amortised for every change. The memory is proportional to ``count``.
package struct WaitingLine<Element> {
  private var elements: [Int: Element] = [:]
  /// The identifiers in order, including those of removed elements.
  private var order: [Int] = []
  private var start = 0

  package init() {}

  package var count: Int { elements.count }

  /// The number of stored identifiers, including those of removed elements.
  package var placeCount: Int { order.count }

  /// Appends an element.
  ///
  /// Use each identifier only once.
  package mutating func append(_ element: Element, id: Int) {
    elements[id] = element
    order.append(id)
  }

  /// Removes the oldest element.
  package mutating func removeFirst() -> Element? {
    while start < order.count {
      start += 1
      if let element = elements.removeValue(forKey: order[start - 1]) {
        trim()
        return element
      }
    }
    return nil
  }

  /// Removes an element, or returns `nil` if it does not exist.
  package mutating func remove(_ id: Int) -> Element? {
    guard let element = elements.removeValue(forKey: id) else { return nil }
    trim()
    return element
  }

  /// Removes the identifiers of removed elements once they are the majority.
  private mutating func trim() {
    guard order.count > 2 * elements.count + 16 else { return }
    order = order[start...].filter { elements[$0] != nil }
    start = 0
  }
}
