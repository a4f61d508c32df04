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
/// the meantime, the connection that it reads from is shut down, and libcurl finds its end.
///
/// What counts is the time that the thread has had on a processor: on a busy machine it waits for one within any call. libcurl does not
/// say which connection it reads from: a call about one socket, or about none, serves the timers of other transfers too. So it is the one
/// from which most is read while the call goes on. How much waits to be read says nothing: that is most where a reader is slow.
final class Watchdog: Sendable {
  private static let interval = Duration.milliseconds(50)
  /// How long the thread may work within a call.
  private static let patience = Duration.milliseconds(250)
  /// The same while an exchange is past its deadline, which the thread would notice after the call.
  private static let latePatience = Duration.milliseconds(50)
  /// How often the thread is seen idle before the watch ends.
  private static let idleLimit = 20
  /// The time after which another look shows the connection that a call reads from.
  private static let measurement = Duration.milliseconds(10)
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
    /// The bytes that had been read from each socket when the thread was seen in the call again.
    var read: [Int32: Int64] = [:]
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
    if steps % 2 == 1, last.count > 1 {
      if time - last.time >= (rest < .zero ? Self.latePatience : Self.patience) {
        guard cut(since: &last.read) else { return Self.measurement }
      } else if last.read.isEmpty {
        last.read = sockets.withLock { Self.readBytes(of: $0) }
      }
    }
    return rest < .zero ? Self.interval : min(Self.interval, rest + .milliseconds(1))
  }

  /// Ends the watch, unless a call has begun in the meantime, which may have seen that there is one.
  private func endWatch(_ steps: Int) -> Bool {
    isWatching.store(false, ordering: .sequentiallyConsistent)
    guard self.steps.load(ordering: .sequentiallyConsistent) != steps else { return true }
    // The thread that sets it watches.
    return isWatching.exchange(true, ordering: .sequentiallyConsistent)
  }

  /// Shuts down the connection that the call reads from.
  ///
  /// - Parameter before: The bytes that had been read from each socket earlier in the call; empty if that is not known.
  /// - Returns: Whether the connection is known; if not, it takes another look.
  private func cut(since before: inout [Int32: Int64]) -> Bool {
    let socket = socket.load(ordering: .relaxed)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    return sockets.withLock { sockets in
      let counts = Self.readBytes(of: sockets)
      var stuck = Self.busiest(counts, since: before)
      if counts.isEmpty {
        // The system does not count.
        stuck = sockets.contains(socket) ? socket : Self.fullest(of: sockets, &buffer)
      } else if stuck == nil {
        if before.isEmpty { before = counts }
        return false
      }
      before = [:]
      guard let stuck else { return true }
      _ = shutdown(stuck, Int32(SHUT_RDWR))
      // What has come already would keep the thread busy.
      var rest = 1024
      while rest > 0, Self.receive(from: stuck, &buffer, 0) > 0 { rest -= 1 }
      return true
    }
  }

  /// The number of bytes that have been read from each socket, without sockets whose bytes the system does not count.
  private static func readBytes(of sockets: Set<Int32>) -> [Int32: Int64] {
    sockets.reduce(into: [:]) { counts, socket in
      let count = almanac_read_bytes(socket)
      if count >= 0 { counts[socket] = count }
    }
  }

  /// The socket from which most was read since; `nil` if nothing was.
  private static func busiest(_ counts: [Int32: Int64], since before: [Int32: Int64]) -> Int32? {
    let growth = counts.compactMap { socket, count in before[socket].map { (socket: socket, bytes: count - $0) } }
    return growth.filter { $0.bytes > 0 }.max { $0.bytes < $1.bytes }?.socket
  }

  /// The socket that has most to read.
  private static func fullest(of sockets: Set<Int32>, _ buffer: inout [UInt8]) -> Int32? {
    var most = 0
    var fullest: Int32?
    for socket in sockets {
      // Peeking leaves the bytes where they are.
      let count = receive(from: socket, &buffer, Int32(MSG_PEEK))
      if count > most {
        most = count
        fullest = socket
      }
    }
    return fullest
  }

  private static func receive(from socket: Int32, _ buffer: inout [UInt8], _ flags: Int32) -> Int {
    // Safe: the pointer and the count are the array's own.
    unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, flags | Int32(MSG_DONTWAIT)) }
  }
}
