// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TokenStore

/// A keychain in memory, which can be locked, or refuse new contents.
final class StubKeychain: KeychainItems {
  private struct State {
    var items: [String: Data] = [:]
    var isLocked = false
    var isReadOnly = false
    var calls: [String] = []
  }

  let service = "tests"
  private let state = Mutex(State())

  func names() throws -> [String] { try use("names") { Array($0.items.keys) } }

  func read(_ name: String) throws -> Data? { try use("read") { $0.items[name] } }

  func write(_ data: Data, to name: String) throws { try use("write", changes: true) { $0.items[name] = data } }

  func rename(_ name: String, to newName: String) throws {
    try use("rename", changes: true) { $0.items[newName] = $0.items.removeValue(forKey: name) }
  }

  func remove(_ name: String) throws { try use("remove", changes: true) { $0.items[name] = nil } }

  private func use<Output>(
    _ call: String, changes: Bool = false, _ body: (inout State) -> sending Output
  ) throws -> sending Output {
    try state.withLock { state in
      guard !state.isLocked else { throw TokenStorageError(.unavailable, "The device is locked.") }
      guard !changes || !state.isReadOnly else { throw TokenStorageError(.unavailable, "The item is not the app's.") }
      state.calls.append(call)
      return body(&state)
    }
  }
}

extension StubKeychain {
  /// The stored items, whether the keychain is locked or not.
  var items: [String: Data] {
    get { state.withLock { $0.items } }
    set { state.withLock { $0.items = newValue } }
  }

  var isLocked: Bool {
    get { state.withLock { $0.isLocked } }
    set { state.withLock { $0.isLocked = newValue } }
  }

  /// Whether items can be read and not changed, as those of a group that the app's entitlements do not name.
  var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// The calls since this was last asked for.
  func takeCalls() -> [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }
}
