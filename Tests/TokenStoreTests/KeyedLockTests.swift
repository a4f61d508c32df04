// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TokenStore

@Suite struct KeyedLockTests {
  private final class Log: Sendable {
    let entries = Mutex<[Int]>([])
  }

  @Test func waitersGetTheLockInTheirOrder() async throws {
    let locks = KeyedLock<String>()
    let log = Log()
    try await locks.lock("key")
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(
        Task {
          try await locks.lock("key")
          log.entries.withLock { $0.append(number) }
          locks.unlock("key")
        })
      while locks.waiterCount(for: "key") <= number { await Task.yield() }
    }
    for number in [3, 0, 19] {
      tasks[number].cancel()
      await #expect(throws: CancellationError.self) { try await tasks[number].value }
    }
    #expect(locks.waiterCount(for: "key") == 17)
    locks.unlock("key")
    for number in 0..<20 where ![3, 0, 19].contains(number) { try await tasks[number].value }
    #expect(log.entries.withLock { $0 } == (0..<20).filter { ![3, 0, 19].contains($0) })
  }
}
