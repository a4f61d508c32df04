// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping

/// The log and the counts of the requests to a sandbox.
///
/// Its lock is never held while another lock is acquired.
final class RequestLog: Sendable {
  private struct State {
    var counts: [Sandbox.Endpoint: Int] = [:]
    var refreshCount = 0
    var entries: [Sandbox.LogEntry] = []
  }

  private let clock: any WallClock
  private let state = Mutex(State())

  init(clock: any WallClock) { self.clock = clock }

  func record(_ kind: Sandbox.LogEntry.Kind, client: String? = nil, _ detail: String = "") {
    let entry = Sandbox.LogEntry(time: clock.now, kind: kind, client: client, detail: detail)
    state.withLock { state in
      state.entries.append(entry)
      if state.entries.count > 10_000 { state.entries.removeFirst(1000) }
    }
  }

  func count(_ endpoint: Sandbox.Endpoint) { state.withLock { $0.counts[endpoint, default: 0] += 1 } }

  func countRefresh() { state.withLock { $0.refreshCount += 1 } }

  var entries: [Sandbox.LogEntry] { state.withLock { $0.entries } }

  var refreshCount: Int { state.withLock { $0.refreshCount } }

  func count(of endpoint: Sandbox.Endpoint) -> Int { state.withLock { $0.counts[endpoint] ?? 0 } }
}
