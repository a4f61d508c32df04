// SPDX-License-Identifier: Apache-2.0

import TokenStore

extension TokenStorageConformance {
  static let cancellationChecks = [
    Check("cancellation.while-waiting", "A cancelled waiter ends immediately and delays no other waiter.") {
      subject in
      let holding = Signal()
      let finish = Signal()
      defer { finish.send() }
      let holder = Task {
        try await subject.storage.withExclusiveAccess(to: "account") { _ in
          holding.send()
          await finish.wait()
        }
      }
      await holding.wait()
      // The task is cancelled at different points of its wait.
      for steps in [0, 1, 10, 100, 1_000, 0, 1, 10, 100, 1_000] {
        let waiter = enter(steps < 10 ? subject.storage : subject.other)
        for _ in 0..<steps { await Task.yield() }
        waiter.cancel()
        switch await waiter.result {
        case .success: throw Broken(detail: "It got access while another task had it.")
        case .failure(let error):
          try require(error is CancellationError, "It threw \(type(of: error)), not CancellationError.")
        }
      }
      let before = enter(subject.storage)
      let between = enter(subject.storage)
      let after = enter(subject.storage)
      for _ in 1...100 { await Task.yield() }
      between.cancel()
      _ = await between.result
      finish.send()
      try await holder.value
      try await before.value
      try await after.value
    },

    Check("cancellation.before-access", "A task that is already cancelled gets no access.") { subject in
      let cancelled = Signal()
      let task = Task {
        await cancelled.wait()
        try await subject.storage.withExclusiveAccess(to: "account") { _ in }
      }
      task.cancel()
      cancelled.send()
      guard case .failure(let error) = await task.result else { throw Broken(detail: "It got access.") }
      try require(error is CancellationError, "It threw \(type(of: error)), not CancellationError.")
    },

    Check("cancellation.during-write", "A write is completed even if the task is cancelled.") { subject in
      for steps in 0..<20 {
        let token = StoredToken(accessToken: Secret("token \(steps)"))
        let ready = Signal()
        let cancelled = Signal()
        let task = Task {
          try await subject.storage.withExclusiveAccess(to: "account") { slot in
            ready.send()
            // In the first rounds it is cancelled before it writes, later during the write.
            if steps < 5 { await cancelled.wait() }
            try await slot.write(token)
          }
        }
        await ready.wait()
        for _ in 0..<max(0, steps - 5) { await Task.yield() }
        task.cancel()
        cancelled.send()
        if case .failure(let error) = await task.result {
          throw Broken(detail: "\(type(of: error)) was thrown.")
        }
        try require(try await subject.storage.token(for: "account") == token, "The record is the old one.")
      }
    },
  ]

  private static func enter(_ storage: any TokenStorage) -> Task<Void, any Error> {
    Task { try await storage.withExclusiveAccess(to: "account") { _ in } }
  }
}
