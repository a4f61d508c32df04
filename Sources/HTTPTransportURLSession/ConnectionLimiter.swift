// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
  package import HTTPTransport
  import Synchronization

  /// Lets no more exchanges run at once than there may be connections, to one host and in total.
  package final class ConnectionLimiter: Sendable {
    private struct Waiter {
      let number: Int
      let origin: Origin
      let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
      var counts: [Origin: Int] = [:]
      var total = 0
      var waiters: [Waiter] = []
      var lastNumber = 0
      var refused: [Int: any Error] = [:]
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
    /// Each one that runs is ended with `leave`.
    ///
    /// - Throws: `CancellationError`; `TransportError` with code `timedOut`.
    package func enter(_ origin: Origin, _ deadline: Deadline) async throws {
      let number = state.withLock { state in
        state.lastNumber += 1
        return state.lastNumber
      }
      deadline.whenOver { [weak self] in self?.refuse(number, TransportError.fault(.timedOut, .connecting, at: origin))
      }
      defer { state.withLock { _ = $0.refused.removeValue(forKey: number) } }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result = state.withLock { state -> Result<Void, any Error>? in
            if let error = state.refused[number] { return .failure(error) }
            guard isFree(origin, state) else {
              state.waiters.append(Waiter(number: number, origin: origin, continuation: continuation))
              return nil
            }
            take(origin, &state)
            return .success(())
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        refuse(number, CancellationError())
      }
    }

    package func leave(_ origin: Origin) {
      let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        state.total -= 1
        state.counts[origin] = state.counts[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
        guard let index = state.waiters.firstIndex(where: { isFree($0.origin, state) }) else { return nil }
        let waiter = state.waiters.remove(at: index)
        take(waiter.origin, &state)
        return waiter.continuation
      }
      next?.resume()
    }

    private func refuse(_ number: Int, _ error: any Error) {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
          state.refused[number] = error
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.continuation.resume(throwing: error)
    }

    private func isFree(_ origin: Origin, _ state: borrowing State) -> Bool {
      state.total < inTotal && state.counts[origin, default: 0] < perHost
    }

    private func take(_ origin: Origin, _ state: inout State) {
      state.total += 1
      state.counts[origin, default: 0] += 1
    }
  }
#endif
