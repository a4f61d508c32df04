// SPDX-License-Identifier: Apache-2.0

import CLibcurl  // its headers may be the ones that declare the flags of recv
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
/// the thread from another one. If the thread has worked for a quarter of a second within one and the same call, where
/// microseconds are usual, or for a fifth of that while an exchange is late, and libcurl has handed over no piece of a response in
/// the meantime, the call's connection is shut down, and libcurl finds its end. What counts is the time that the thread has had on a processor: on a busy machine it waits for one within
/// any call.
final class Watchdog: Sendable {
  private static let interval = Duration.milliseconds(50)
  /// How long the thread may work within a call.
  private static let patience = Duration.milliseconds(250)
  /// The same while an exchange is past its deadline, which the thread would notice after the call.
  private static let latePatience = Duration.milliseconds(50)
  /// How often the thread is seen idle before the watch ends.
  private static let idleLimit = 20
  private static let noDeadline = Int64.max

  /// How often a call has begun or ended, and twice how often a piece of a response has come: odd while the thread is in a call.
  private let steps = Atomic(0)
  /// The socket of the call, or `CURL_SOCKET_TIMEOUT`.
  private let socket = Atomic<Int32>(-1)
  /// The earliest deadline of the exchanges, in nanoseconds after `start`.
  private let deadline = Atomic(Watchdog.noDeadline)
  private let isWatching = Atomic(false)
  /// The sockets that libcurl has open.
  ///
  /// The lock keeps the number of a closed socket, which the process may use for something else, from being shut down.
  private let sockets = Mutex<Set<Int32>>([])
  private let start = ContinuousClock.now
  /// The clock of the thread that is watched; `nil` before it begins.
  private let clock = Mutex<ThreadClock?>(nil)

  // MARK: The transport's thread

  /// Notes that the caller is the thread.
  func begin() { clock.withLock { $0 = ThreadClock() } }

  /// Notes that libcurl has opened a socket.
  func noteOpening(of socket: Int32) { sockets.withLock { _ = $0.insert(socket) } }

  /// Notes that a socket is about to be closed.
  func noteClosing(of socket: Int32) { sockets.withLock { _ = $0.remove(socket) } }

  /// Notes when a call should be over for the sake of an exchange.
  func setDeadline(_ instant: ContinuousClock.Instant?) {
    let rest = instant.map { ($0 - start) / .nanoseconds(1) }
    deadline.store(rest.map { Int64($0) } ?? Self.noDeadline, ordering: .relaxed)
  }

  /// Notes that a call of libcurl begins.
  ///
  /// - Parameter socket: The socket that the call is about, or `CURL_SOCKET_TIMEOUT`.
  func beginCall(_ socket: Int32) {
    self.socket.store(socket, ordering: .relaxed)
    steps.add(1, ordering: .sequentiallyConsistent)
    if !isWatching.load(ordering: .sequentiallyConsistent) { watch() }
  }

  /// Notes that libcurl has handed over a piece of a response within the call, after which it returns soon.
  ///
  /// The thread alone changes the number.
  func noteProgress() { steps.store(steps.load(ordering: .relaxed) &+ 2, ordering: .relaxed) }

  /// Notes that the call has returned.
  func endCall() { steps.add(1, ordering: .releasing) }

  // MARK: The watching thread

  private func watch() {
    isWatching.store(true, ordering: .sequentiallyConsistent)
    let isStarted = Thread.start { [weak self] in
      var sighting = Sighting()
      var pause: Duration? = Self.interval
      while let time = pause {
        Thread.sleep(time)
        pause = self?.look(&sighting)
      }
    }
    // With the next call it is tried again.
    if !isStarted { isWatching.store(false, ordering: .sequentiallyConsistent) }
  }

  /// What was seen of the thread.
  private struct Sighting {
    var steps = 0
    /// The thread's time on a processor when it was first seen at this step.
    var time = Duration.zero
    /// How often in a row it was seen there.
    var count = 0
  }

  /// Looks at the thread.
  ///
  /// - Returns: When to look again: at the next deadline if that is soon. `nil` for not at all.
  private func look(_ last: inout Sighting) -> Duration? {
    let steps = steps.load(ordering: .sequentiallyConsistent)
    let time = clock.withLock { $0?.now ?? .zero }
    if steps != last.steps || last.count == 0 { last = Sighting(steps: steps, time: time) }
    last.count += 1
    guard steps % 2 == 1 || last.count < Self.idleLimit || !endWatch(steps) else { return nil }
    let rest = .nanoseconds(deadline.load(ordering: .relaxed)) - (ContinuousClock.now - start)
    if steps % 2 == 1, time - last.time >= (rest < .zero ? Self.latePatience : Self.patience) { cut() }
    return rest < .zero ? Self.interval : min(Self.interval, rest + .milliseconds(1))
  }

  /// Ends the watch, unless a call has begun in the meantime, which may have seen that there is one.
  private func endWatch(_ steps: Int) -> Bool {
    isWatching.store(false, ordering: .sequentiallyConsistent)
    guard self.steps.load(ordering: .sequentiallyConsistent) != steps else { return true }
    // The thread that sets it watches.
    return isWatching.exchange(true, ordering: .sequentiallyConsistent)
  }

  /// Shuts down the connection that the thread is stuck with.
  private func cut() {
    let socket = socket.load(ordering: .relaxed)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    sockets.withLock { sockets in
      guard let stuck = sockets.contains(socket) ? socket : Self.busiest(of: sockets, &buffer) else { return }
      _ = shutdown(stuck, Int32(SHUT_RDWR))
      // What has come already would keep the thread busy.
      var rest = 1024
      while rest > 0, Self.receive(from: stuck, &buffer, 0) > 0 { rest -= 1 }
    }
  }

  /// The socket that has most to read: libcurl does not say which one a call that serves timers is about.
  private static func busiest(of sockets: Set<Int32>, _ buffer: inout [UInt8]) -> Int32? {
    var most = 0
    var busiest: Int32?
    for socket in sockets {
      // Peeking leaves the bytes where they are.
      let count = receive(from: socket, &buffer, Int32(MSG_PEEK))
      if count > most {
        most = count
        busiest = socket
      }
    }
    return busiest
  }

  private static func receive(from socket: Int32, _ buffer: inout [UInt8], _ flags: Int32) -> Int {
    // Safe: the pointer and the count are the array's own.
    unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, flags | Int32(MSG_DONTWAIT)) }
  }
}
