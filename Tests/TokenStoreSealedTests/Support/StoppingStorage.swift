// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TokenStore

/// A storage in memory that stops at one of its steps, as if the process ended there.
final class StoppingStorage: TokenStorage {
  struct Stopped: Error {}

  let records = InMemoryTokenStorage()
  private let remaining = Mutex<Int?>(nil)

  /// Whether the storage has stopped.
  var hasStopped: Bool { remaining.withLock { $0.map { $0 < 0 } ?? false } }

  /// Sets the number of steps before the storage stops; `nil` for no end.
  func stop(after steps: Int?) { remaining.withLock { $0 = steps } }

  private func step() throws {
    try remaining.withLock { remaining in
      guard let count = remaining else { return }
      remaining = count - 1
      if count <= 0 { throw Stopped() }
    }
  }

  /// Runs `work` between two steps: a process can end before it and after it.
  private func steps<Output: Sendable>(_ work: () async throws -> Output) async throws -> Output {
    try step()
    do {
      let output = try await work()
      try step()
      return output
    } catch let error as TokenStorageError {
      // Reading a sealed record is a step too.
      try step()
      throw error
    }
  }

  func token(for account: String) async throws -> StoredToken? {
    try await steps { try await records.token(for: account) }
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await steps {
      try await records.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self)) }
    }
  }

  func accounts() async throws -> [String] { try await steps { try await records.accounts().sorted() } }

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let storage: StoppingStorage

    func read() async throws -> StoredToken? { try await storage.steps { try await base.read() } }

    func write(_ token: StoredToken?) async throws { try await storage.steps { try await base.write(token) } }
  }
}
