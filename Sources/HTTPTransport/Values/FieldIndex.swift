// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An index of a long list of fields, by name.
///
/// Building the table takes about as long as a few searches, so it is built after that many. Each later lookup adds the
/// fields appended since the previous one.
final class FieldIndex<Field: NamedField>: Sendable {
  private struct State {
    var searches = 0
    var table: Table?
  }

  private let state: Mutex<State>

  /// The number of searches after which the table is built.
  private static var patience: Int { 8 }

  init() { state = Mutex(State()) }

  /// Creates an index for a list that starts with the fields of another index's list.
  init(copying other: FieldIndex) { state = Mutex(other.state.withLock(\.self)) }

  /// Queries the table of `fields`, or returns `nil` if there is no table yet and the list must be searched.
  func look<Value: Sendable>(in fields: [Field], _ body: (Table) -> Value) -> Value? {
    state.withLock { state in
      if state.table == nil {
        state.searches += 1
        guard state.searches > Self.patience else { return nil }
        state.table = Table()
      }
      state.table?.extend(over: fields)
      return state.table.map(body)
    }
  }
}

extension FieldIndex {
  struct Table: Sendable {
    /// The positions of the first and the last field of each name.
    private var chains: [Field.Key: (first: Int, last: Int)] = [:]
    /// For each field, the position of the next one with the same name, or -1.
    private var next: [Int] = []

    fileprivate mutating func extend(over fields: [Field]) {
      for position in next.count..<fields.count {
        next.append(-1)
        let key = Field.key(fields[position].name)
        // Names are usually distinct, so each is hashed once.
        guard let previous = chains.updateValue((position, position), forKey: key) else { continue }
        chains[key] = (previous.first, position)
        next[previous.last] = position
      }
    }

    func first(_ key: Field.Key) -> Int? { chains[key]?.first }

    func firstTwo(_ key: Field.Key) -> (Int?, Int?) {
      guard let first = chains[key]?.first else { return (nil, nil) }
      return (first, next[first] < 0 ? nil : next[first])
    }

    func all(_ key: Field.Key) -> [Int] {
      guard let chain = chains[key] else { return [] }
      return Array(sequence(first: chain.first) { next[$0] < 0 ? nil : next[$0] })
    }
  }
}
