// SPDX-License-Identifier: Apache-2.0

/// Elements in the order of their arrival, any of which may leave.
///
/// - Complexity: O(1) amortised for every change. The memory is proportional to ``count``.
package struct WaitingLine<Element> {
  private var elements: [Int: Element] = [:]
  /// The identifiers in their order, those that left included.
  private var order: [Int] = []
  private var start = 0

  package init() {}

  package var count: Int { elements.count }

  /// The number of places kept, those of elements that left included.
  package var placeCount: Int { order.count }

  /// Adds an element to the end.
  ///
  /// The identifier must not be one that was used before.
  package mutating func append(_ element: Element, id: Int) {
    elements[id] = element
    order.append(id)
  }

  /// Removes the element that has been there longest.
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

  /// Removes an element; `nil` if it is not there.
  package mutating func remove(_ id: Int) -> Element? {
    guard let element = elements.removeValue(forKey: id) else { return nil }
    trim()
    return element
  }

  /// Gives up the places of those that left when they are most.
  private mutating func trim() {
    guard order.count > 2 * elements.count + 16 else { return }
    order = order[start...].filter { elements[$0] != nil }
    start = 0
  }
}
