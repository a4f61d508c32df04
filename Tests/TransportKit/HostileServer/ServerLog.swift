// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport

/// The log of a server, with its open sockets.
final class ServerLog: Sendable {
  private struct State {
    var counts = HostileServer.Counts()
    var requests: [HostileServer.Request] = []
    var sockets: [Int: Socket] = [:]
    var observers: [Int: AsyncStream<HostileServer.Counts>.Continuation] = [:]
    var lastObserver = 0
    var isStopped = false
  }

  private let state = Mutex(State())

  var counts: HostileServer.Counts { state.withLock { $0.counts } }

  var requests: [HostileServer.Request] { state.withLock { $0.requests } }

  /// Returns the current statistics, and new ones whenever they change.
  func updates() -> AsyncStream<HostileServer.Counts> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: HostileServer.Counts.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = continuation
      continuation.yield(state.counts)
      return state.lastObserver
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Returns the number of a new connection, or `nil` if the server has been stopped.
  func opened(_ socket: Socket) -> Int? {
    update { state in
      guard !state.isStopped else { return nil }
      state.counts.connections += 1
      state.counts.open += 1
      state.counts.mostOpen = max(state.counts.mostOpen, state.counts.open)
      state.sockets[state.counts.connections] = socket
      return state.counts.connections
    }
  }

  func closed(_ socket: Socket) {
    update { state in
      // The socket is closed under the lock, so that `stop` never shuts down a descriptor that the system has reused.
      state.sockets = state.sockets.filter { $0.value != socket }
      socket.close()
      state.counts.open -= 1
    }
  }

  /// Returns the index of the request for `received(_:at:)`.
  func began(_ request: HostileServer.Request) -> Int {
    update { state in
      state.counts.requests += 1
      state.requests.append(request)
      return state.requests.count - 1
    }
  }

  func received(_ request: HostileServer.Request, at index: Int) { update { $0.requests[index] = request } }

  func wrote(_ count: Int) { update { $0.counts.bytesWritten += count } }

  func closedByScript() { update { $0.counts.closed += 1 } }

  func stalled() { update { $0.counts.stalls += 1 } }

  /// Shuts down every connection.
  ///
  /// Returns whether this is the first call.
  func stop() -> Bool {
    update { state in
      defer { state.isStopped = true }
      for socket in state.sockets.values { socket.shutDown() }
      return !state.isStopped
    }
  }

  private func update<Value>(_ change: (inout sending State) -> sending Value) -> sending Value {
    state.withLock { state in
      defer { for observer in state.observers.values { observer.yield(state.counts) } }
      return change(&state)
    }
  }
}
