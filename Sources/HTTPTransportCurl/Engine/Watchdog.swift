// SPDX-License-Identifier: Apache-2.0

import CLibcurl  // on some systems, its headers declare the flags of recv
import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A watchdog that ends stuck calls of libcurl.
///
/// libcurl reads from an HTTP/2 connection until nothing is left to read or a stream has received something. A server that
/// sends frames for no stream, as fast as they are read, blocks libcurl there, and with it the transport's thread. The watchdog
/// observes the thread from another thread. If the thread has used a quarter of a second of processor time within one call,
/// which usually takes microseconds, the watchdog shuts down the connection that libcurl reads from. While an exchange is past
/// its deadline, the limit is a fifth of that. The time starts again when libcurl delivers a piece of a response. After the
/// shutdown, libcurl reads the end of the connection.
///
/// libcurl does not report the connection that it reads from, and a call for one socket, or for none, also serves the timers of
/// other transfers. The watchdog therefore selects the connection from which most bytes are read during the call. The number of
/// unread bytes does not identify it: a slow reader has the most unread bytes.
package final class Watchdog: Sendable {
  private static let noDeadline = Int64.max

  private let limits: WatchdogSighting.Limits
  /// A counter that grows by one when a call begins or ends, and by two for each piece of a response.
  ///
  /// It is odd during a call.
  private let steps = Atomic(0)
  /// The socket of the call, or `CURL_SOCKET_TIMEOUT`.
  private let socket = Atomic<Int32>(-1)
  /// The earliest deadline of the exchanges, in nanoseconds after `start`.
  private let deadline = Atomic(Watchdog.noDeadline)
  private let isWatching = Atomic(false)
  /// The open sockets of libcurl.
  ///
  /// The lock prevents a shutdown of a closed socket's number, which the process may have reused.
  private let sockets = Mutex<Set<Int32>>([])
  private let start = ContinuousClock.now
  /// The clock of the observed thread, or `nil` before it begins.
  private let clock = Mutex<ThreadClock?>(nil)

  package init(limits: WatchdogSighting.Limits = WatchdogSighting.Limits()) { self.limits = limits }

  /// Whether a thread observes the transport's thread.
  package var isActive: Bool { isWatching.load(ordering: .sequentiallyConsistent) }

  /// The time until the earliest deadline of the exchanges, very long without one.
  package var timeToDeadline: Duration {
    .nanoseconds(deadline.load(ordering: .relaxed)) - (ContinuousClock.now - start)
  }

  // MARK: The transport's thread

  /// Records that the caller is the observed thread.
  package func begin() { clock.withLock { $0 = ThreadClock() } }

  /// Records that libcurl has opened a socket.
  package func noteOpening(of socket: Int32) { sockets.withLock { _ = $0.insert(socket) } }

  /// Records that a socket is about to be closed.
  package func noteClosing(of socket: Int32) { sockets.withLock { _ = $0.remove(socket) } }

  /// Sets the earliest deadline of the exchanges, or `nil` for none.
  package func setDeadline(_ instant: ContinuousClock.Instant?) {
    let rest = instant.map { ($0 - start) / .nanoseconds(1) }
    deadline.store(rest.map { Int64($0) } ?? Self.noDeadline, ordering: .relaxed)
  }

  /// Records that a call of libcurl begins.
  ///
  /// - Parameter socket: The socket of the call, or `CURL_SOCKET_TIMEOUT`.
  package func beginCall(_ socket: Int32) {
    self.socket.store(socket, ordering: .relaxed)
    steps.add(1, ordering: .sequentiallyConsistent)
    if !isWatching.load(ordering: .sequentiallyConsistent) { watch() }
  }

  /// Records that libcurl has delivered a piece of a response within the call.
  ///
  /// libcurl returns soon afterwards.
  ///
  /// Only the transport's thread changes the number.
  package func noteProgress() { steps.store(steps.load(ordering: .relaxed) &+ 2, ordering: .relaxed) }

  /// Records that the call has returned.
  package func endCall() { steps.add(1, ordering: .releasing) }

  // MARK: The watching thread

  private func watch() {
    isWatching.store(true, ordering: .sequentiallyConsistent)
    let isStarted = DetachedThread.start { [weak self, limits] in
      var sighting = WatchdogSighting(limits: limits)
      var pause: Duration? = limits.interval
      while let time = pause {
        DetachedThread.sleep(time)
        pause = self?.look(&sighting)
      }
    }
    // The next call tries again.
    if !isStarted { isWatching.store(false, ordering: .sequentiallyConsistent) }
  }

  /// Observes the thread.
  ///
  /// - Returns: The time until the next observation, or `nil` for none.
  private func look(_ last: inout WatchdogSighting) -> Duration? {
    let steps = steps.load(ordering: .sequentiallyConsistent)
    let time = clock.withLock { $0?.now ?? .zero }
    let rest = timeToDeadline
    switch last.observe(steps: steps, time: time, isLate: rest < .zero) {
    case .goOn: break
    case .idle: if endWatch(steps) { return nil }
    case .slow: if last.read.isEmpty { last.read = sockets.withLock { Self.readBytes(of: $0) } }
    case .stuck:
      guard cut(since: &last.read) else { return limits.measurement }
      // The call may need processor time to detect the shutdown. Until it has used as much again, no other connection is shut
      // down.
      last = WatchdogSighting(limits: limits)
    }
    return limits.pause(untilDeadline: rest)
  }

  /// Ends the watch, unless a call has begun in the meantime.
  ///
  /// Such a call may have relied on the watch.
  private func endWatch(_ steps: Int) -> Bool {
    isWatching.store(false, ordering: .sequentiallyConsistent)
    guard self.steps.load(ordering: .sequentiallyConsistent) != steps else { return true }
    // The thread that sets the flag watches.
    return isWatching.exchange(true, ordering: .sequentiallyConsistent)
  }

  /// Shuts down the connection the call reads from.
  ///
  /// - Parameter before: The bytes read from each socket earlier in the call, or empty if unknown.
  /// - Returns: Whether the connection is known. If not, another observation is needed.
  private func cut(since before: inout [Int32: Int64]) -> Bool {
    let socket = socket.load(ordering: .relaxed)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    return sockets.withLock { sockets in
      let counts = Self.readBytes(of: sockets)
      var stuck = Self.busiest(counts, since: before)
      if counts.isEmpty {
        // The system does not provide the counts.
        stuck = sockets.contains(socket) ? socket : Self.fullest(of: sockets, &buffer)
      } else if stuck == nil {
        if before.isEmpty { before = counts }
        return false
      }
      before = [:]
      guard let stuck else { return true }
      _ = shutdown(stuck, Int32(SHUT_RDWR))
      // Discards the bytes that have already arrived, which would keep the thread busy.
      var rest = 1024
      while rest > 0, Self.receive(from: stuck, &buffer, 0) > 0 { rest -= 1 }
      return true
    }
  }

  /// The number of bytes read from each socket, without sockets whose bytes the system does not count.
  private static func readBytes(of sockets: Set<Int32>) -> [Int32: Int64] {
    sockets.reduce(into: [:]) { counts, socket in
      let count = almanac_read_bytes(socket)
      if count >= 0 { counts[socket] = count }
    }
  }

  /// Returns the socket from which most was read since then, or `nil` if nothing was read.
  private static func busiest(_ counts: [Int32: Int64], since before: [Int32: Int64]) -> Int32? {
    let growth = counts.compactMap { socket, count in before[socket].map { (socket: socket, bytes: count - $0) } }
    return growth.filter { $0.bytes > 0 }.max { $0.bytes < $1.bytes }?.socket
  }

  /// Returns the socket with the most unread bytes.
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

/// A clock of a thread's processor time, which other threads can read.
///
/// On Apple platforms, where `pthread_getcpuclockid` does not exist, it is the system's monotonic clock.
package struct ThreadClock: Sendable {
  private let id: clockid_t

  /// Creates the clock of the calling thread.
  package init() {
    var id = CLOCK_MONOTONIC
    #if !canImport(Darwin)
      // Safe: the call fills the local. If the thread has no clock, the monotonic clock is used.
      var own = clockid_t()
      if unsafe pthread_getcpuclockid(pthread_self(), &own) == 0 { id = own }
    #endif
    self.id = id
  }

  /// The time so far, or zero after the thread has ended.
  package var now: Duration {
    var time = timespec()
    // Safe: the call fills the local.
    guard unsafe clock_gettime(id, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
