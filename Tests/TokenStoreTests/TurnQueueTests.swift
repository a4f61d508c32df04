import Synchronization
import Testing
import TokenStore

@Suite struct TurnQueueTests {
  private final class Log: Sendable {
    let entries = Mutex<[Int]>([])
  }

  @Test func whoeverComesFirstIsServedFirst() async throws {
    let queue = TurnQueue<String>()
    let log = Log()
    try await queue.enter("key")
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(
        Task {
          try await queue.enter("key")
          log.entries.withLock { $0.append(number) }
          queue.leave("key")
        })
      while queue.waiterCount(for: "key") <= number { await Task.yield() }
    }
    for number in [3, 0, 19] {
      tasks[number].cancel()
      await #expect(throws: CancellationError.self) { try await tasks[number].value }
    }
    #expect(queue.waiterCount(for: "key") == 17)
    queue.leave("key")
    for number in 0..<20 where ![3, 0, 19].contains(number) { try await tasks[number].value }
    #expect(log.entries.withLock { $0 } == (0..<20).filter { ![3, 0, 19].contains($0) })
  }

  @Test func keysDoNotWaitForEachOther() async throws {
    let queue = TurnQueue<String>()
    try await queue.enter("key")
    try await queue.enter("other")
    queue.leave("other")
    queue.leave("key")
    try await queue.enter("key")
  }
}
