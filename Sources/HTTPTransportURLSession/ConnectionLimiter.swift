// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
  package import HTTPTransport
  import Support
  import Synchronization

  /// A limit on the number of concurrent exchanges, per origin and in total.
  package final class ConnectionLimiter: Sendable {
    private struct Waiter {
      let origin: Origin
      let turn: SingleWait<Void>
    }

    private struct State {
      var counts: [Origin: Int] = [:]
      var total = 0
      var waiters: [Waiter] = []
    }

    private let perHost: Int
    private let inTotal: Int
    private let state = Mutex(State())

    package init(_ limits: TransportLimits) {
      perHost = max(1, limits.connectionsPerHost)
      inTotal = max(1, limits.connections)
    }

    /// Waits until an exchange with `origin` may run.
    ///
    /// The caller ends each running exchange with `leave`.
    ///
    /// - Throws: `CancellationError`, or `TransportError` with code `timedOut`.
    package func enter(_ origin: Origin, _ deadline: Deadline) async throws {
      try Task.checkCancellation()
      let turn = SingleWait<Void>()
      deadline.whenOver { turn.end(.failure(TransportError.fault(.timedOut, .connecting, at: origin))) }
      state.withLock { state in
        state.waiters.append(Waiter(origin: origin, turn: turn))
        admit(&state)
      }
      do {
        try await turn.value()
      } catch {
        state.withLock { state in state.waiters.removeAll { $0.turn === turn } }
        throw error
      }
    }

    package func leave(_ origin: Origin) {
      state.withLock { state in
        state.total -= 1
        state.counts[origin] = state.counts[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
        admit(&state)
      }
    }

    /// Admits waiting exchanges within the limits, in order of arrival.
    private func admit(_ state: inout State) {
      while let index = state.waiters.firstIndex(where: { isFree($0.origin, state) }) {
        let waiter = state.waiters.remove(at: index)
        // A waiter that has already ended does not run.
        guard waiter.turn.end(.success(())) else { continue }
        state.total += 1
        state.counts[waiter.origin, default: 0] += 1
      }
    }

    private func isFree(_ origin: Origin, _ state: borrowing State) -> Bool {
      state.total < inTotal && state.counts[origin, default: 0] < perHost
    }
  }
#endif
