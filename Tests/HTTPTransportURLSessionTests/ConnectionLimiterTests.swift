// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import AlmanacTesting
  import HTTPTransport
  import HTTPTransportURLSession
  import Synchronization
  import TestSupport
  import Testing

  @Suite(.takesTurns) struct ConnectionLimiterTests {
    private static let origins = ["https://a.example", "https://b.example", "https://c.example"].compactMap {
      Origin($0)
    }

    /// The exchanges that run or wait, and those that a plain list lets run: the first that may, in the order of arrival.
    private final class Exchanges: Sendable {
      private struct State {
        var running: Set<Int> = []
        var errors: [Int: any Error] = [:]
      }

      private let state = Mutex(State())
      private let limiter: ConnectionLimiter
      private let executor = SerialTaskExecutor()

      init(_ limiter: ConnectionLimiter) { self.limiter = limiter }

      var running: Set<Int> { state.withLock { $0.running } }
      func error(of id: Int) -> (any Error)? { state.withLock { $0.errors[id] } }
      func left(_ id: Int) { state.withLock { _ = $0.running.remove(id) } }

      func enter(_ id: Int, _ origin: Origin) -> Task<Void, Never> {
        let task = Task(executorPreference: executor) { [self] in
          do {
            try await limiter.enter(origin, Deadline(after: .seconds(60), clock: ManualClock()))
            state.withLock { _ = $0.running.insert(id) }
          } catch {
            state.withLock { $0.errors[id] = error }
          }
        }
        settle()
        return task
      }

      /// Returns when each exchange runs, waits or has failed.
      func settle() { executor.drain() }
    }

    @Test(arguments: [(1, 1), (1, 3), (2, 3), (3, 2), (2, 100), (0, 0), (-1, 5)], [1, 2] as [UInt64])
    func asManyRunAsTheLimitsAllowInTheOrderOfTheirArrival(_ limits: (Int, Int), _ seed: UInt64) async throws {
      let limiter = ConnectionLimiter(TransportLimits(connectionsPerHost: limits.0, connections: limits.1))
      // A limit of none would let nothing through.
      let (perHost, inTotal) = (max(1, limits.0), max(1, limits.1))
      let exchanges = Exchanges(limiter)
      var numbers = SeededNumbers(seed: seed)
      var tasks: [Int: (task: Task<Void, Never>, origin: Origin)] = [:]
      var (running, waiting): ([Int], [Int]) = ([], [])
      func origin(_ id: Int) -> Origin { tasks[id]?.origin ?? Self.origins[0] }
      func isFree(_ id: Int) -> Bool {
        running.count < inTotal && running.count { origin($0) == origin(id) } < perHost
      }
      for id in 0..<120 {
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0...2:
          let origin = Self.origins[Int.random(in: 0..<Self.origins.count, using: &numbers)]
          tasks[id] = (exchanges.enter(id, origin), origin)
          if isFree(id) { running.append(id) } else { waiting.append(id) }
        case 3 where !waiting.isEmpty:
          let id = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &numbers))
          tasks[id]?.task.cancel()
          await tasks[id]?.task.value
          #expect(exchanges.error(of: id) is CancellationError)
        case 4 where !running.isEmpty:
          let id = running.remove(at: Int.random(in: 0..<running.count, using: &numbers))
          exchanges.left(id)
          limiter.leave(origin(id))
          if let next = waiting.firstIndex(where: isFree) { running.append(waiting.remove(at: next)) }
        default: break
        }
        exchanges.settle()
        try #require(exchanges.running == Set(running))
      }
      for (task, _) in tasks.values { task.cancel() }
    }

    @Test func deadlineThatHasPassedLetsNoneIn() async throws {
      let limiter = ConnectionLimiter(TransportLimits(connectionsPerHost: 1))
      let clock = ManualClock()
      let deadline = Deadline(after: .seconds(1), clock: clock)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      while !deadline.isOver { await Task.yield() }
      let error = try await #require(throws: TransportError.self) {
        try await limiter.enter(Self.origins[0], deadline)
      }
      #expect(error.code == .timedOut)
      let next = Deadline(after: .seconds(1), clock: clock)
      try await limiter.enter(Self.origins[0], next)
      #expect(!next.isOver, "nothing is taken by the one that was refused")
    }
  }
#endif
