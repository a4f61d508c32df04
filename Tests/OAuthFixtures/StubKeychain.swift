// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization
import TokenStore

/// A keychain in memory, which can be locked, full, or refuse new contents.
package final class StubKeychain: KeychainItems {
  private struct State {
    var items: [String: Data] = [:]
    var isLocked = false
    var isReadOnly = false
    var capacity = Int.max
    var calls: [String] = []

    mutating func write(_ data: Data?, to name: String) throws {
      let size = items.reduce(0) { $1.key == name ? $0 : $0 + $1.value.count } + (data?.count ?? 0)
      guard data == nil || size <= capacity else { throw TokenStorageError(.unavailable, "The keychain is full.") }
      items[name] = data
    }
  }

  package let service = "tests"
  private let state = Mutex(State())

  package init() {}

  package func names() throws -> [String] { try use("names") { Array($0.items.keys) } }

  package func read(_ name: String) throws -> Data? { try use("read") { $0.items[name] } }

  package func write(_ data: Data, to name: String) throws {
    try use("write", changes: true) { try $0.write(data, to: name) }
  }

  package func rename(_ name: String, to newName: String) throws {
    try use("rename", changes: true) { $0.items[newName] = $0.items.removeValue(forKey: name) }
  }

  package func remove(_ name: String) throws { try use("remove", changes: true) { $0.items[name] = nil } }

  private func use<Output>(
    _ call: String, changes: Bool = false, _ body: (inout State) throws -> sending Output
  ) throws -> sending Output {
    try state.withLock { state in
      guard !state.isLocked else { throw TokenStorageError(.unavailable, "The device is locked.") }
      guard !changes || !state.isReadOnly else { throw TokenStorageError(.unavailable, "The item is not the app's.") }
      state.calls.append(call)
      return try body(&state)
    }
  }
}

extension StubKeychain {
  /// The stored items, whether the keychain is locked or not.
  package var items: [String: Data] {
    get { state.withLock { $0.items } }
    set { state.withLock { $0.items = newValue } }
  }

  package var isLocked: Bool {
    get { state.withLock { $0.isLocked } }
    set { state.withLock { $0.isLocked = newValue } }
  }

  /// Whether items can be read and not changed, as those of a group that the app's entitlements do not name.
  package var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// Limits the bytes of all items to those that are stored and `spare` more; `nil` for no limit.
  package func limit(to spare: Int?) {
    state.withLock { state in
      state.capacity = spare.map { spare in state.items.values.reduce(spare) { $0 + $1.count } } ?? .max
    }
  }

  /// The calls since this was last asked for.
  package func takeCalls() -> [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }
}
