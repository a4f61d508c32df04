// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Ends calls of libcurl that do not return.
///
/// libcurl reads from an HTTP/2 connection until nothing is left to read or a stream has got something. A server that sends
/// frames which concern no stream, as fast as they are read, holds it there, and with it the transport's thread. This looks at
/// the thread from a task. If the thread is within one and the same call for a quarter of a second, where microseconds are
/// usual, or for half of that while an exchange is late, the call's connection is shut down, and libcurl finds its end.
final class Watchdog: Sendable {
  private static let interval = Duration.milliseconds(50)
  /// How often a call is seen before it is ended.
  private static let patience = 5
  /// The same while an exchange is past its deadline, which the thread would notice after the call.
  private static let latePatience = 2
  /// How often the thread is seen idle before the watch ends.
  private static let idleLimit = 20

  private struct State {
    /// The sockets that libcurl has open.
    var sockets: Set<Int32> = []
    /// The socket of the call, or `CURL_SOCKET_TIMEOUT`; `nil` between calls.
    var socket: Int32?
    /// The earliest deadline of the exchanges.
    var deadline: ContinuousClock.Instant?
    var calls = 0
    var seenCalls = 0
    /// How often in a row the thread has been seen in the same call, or in none.
    var sightings = 0
    var isWatching = false
  }

  private let state = Mutex(State())

  // MARK: The transport's thread

  // The lock keeps the number of a closed socket, which the process may use for something else, from being shut down.

  /// Notes that libcurl has opened a socket.
  func noteOpening(of socket: Int32) { state.withLock { _ = $0.sockets.insert(socket) } }

  /// Notes that a socket is about to be closed.
  func noteClosing(of socket: Int32) { state.withLock { _ = $0.sockets.remove(socket) } }

  /// Notes that a call of libcurl begins.
  ///
  /// - Parameters:
  ///   - socket: The socket that the call is about, or `CURL_SOCKET_TIMEOUT`.
  ///   - deadline: When the call should be over for the sake of an exchange.
  func beginCall(_ socket: Int32, deadline: ContinuousClock.Instant?) {
    let isWatching = state.withLock { state in
      state.socket = socket
      state.deadline = deadline
      state.calls += 1
      defer { state.isWatching = true }
      return state.isWatching
    }
    if !isWatching { watch() }
  }

  /// Notes that the call has returned.
  func endCall() { state.withLock { $0.socket = nil } }

  // MARK: The watching task

  private func watch() {
    Task.detached(priority: .high) { [weak self] in
      repeat { try? await Task.sleep(for: Self.interval) } while self?.look() == true
    }
  }

  /// Looks at the thread.
  ///
  /// - Returns: Whether to look again.
  private func look() -> Bool {
    state.withLock { state in
      if state.calls != state.seenCalls { state.sightings = 0 }
      state.seenCalls = state.calls
      state.sightings += 1
      guard let socket = state.socket else {
        state.isWatching = state.sightings < Self.idleLimit
        return state.isWatching
      }
      let isLate = state.deadline.map { $0 < .now } ?? false
      if state.sightings >= (isLate ? Self.latePatience : Self.patience) {
        let busiest = state.sockets.contains(socket) ? socket : Self.busiest(of: state.sockets)
        if let busiest { _ = shutdown(busiest, Int32(SHUT_RDWR)) }
      }
      return true
    }
  }

  /// The socket that has most to read: libcurl does not say which one a call that serves timers is about.
  private static func busiest(of sockets: Set<Int32>) -> Int32? {
    var most = 0
    var busiest: Int32?
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    for socket in sockets {
      // Safe: the pointer and the count are the array's own. Peeking leaves the bytes where they are.
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      }
      if count > most {
        most = count
        busiest = socket
      }
    }
    return busiest
  }
}
