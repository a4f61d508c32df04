// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The sockets that libcurl wants watched, those of idle connections, and the pipe that wakes the thread.
///
/// libcurl does not look at a connection while it is idle, and takes what has arrived in the meantime for the beginning of the
/// next response. So a connection on which anything arrives while it is idle is closed at once, which libcurl notices before it
/// would use it again.
///
/// What libcurl wants of a socket changes several times in a transfer, and is at the end of it what it was at the beginning. So
/// the system learns of changes only before a wait.
struct SocketSet {
  private static let wakeID = -1

  private let readiness: ReadinessSet
  /// What is known of a socket, by its number: the system gives the lowest ones that are free.
  private var known: [State] = []
  /// The sockets of which the system may have to learn.
  private var changed: [Int] = []
  private var entries: [ReadyDescriptor] = []

  private struct State {
    /// What the socket is to be watched for; nothing if it is not.
    var wanted = Readiness()
    /// What the system watches the socket for; nothing if it does not.
    var watched = Readiness()
    /// Whether the socket is among `changed`.
    var isChanged = false
    /// Whether libcurl has opened the socket and not closed it.
    var isOpen = false
    /// Whether it is watched because its connection is idle.
    var isIdle = false
  }

  /// Creates a set; `nil` if the process has no descriptors left.
  init?(wakePipe: WakePipe) {
    guard let readiness = ReadinessSet(), readiness.add(wakePipe.readEnd, .reading, id: Self.wakeID) else { return nil }
    self.readiness = readiness
  }

  /// Notes that libcurl has opened a socket, and will report its end.
  mutating func noteOpening(of socket: Int32) {
    let index = index(of: socket)
    let isChanged = known[index].isChanged
    known[index] = State()
    known[index].isChanged = isChanged
    known[index].isOpen = true
  }

  /// Watches a socket for what libcurl says, or no longer.
  ///
  /// - Parameter interest: One of libcurl's `CURL_POLL_…`.
  mutating func watch(_ socket: Int32, for interest: Int32) {
    var readiness = Readiness()
    if interest != CURL_POLL_REMOVE {
      if interest & CURL_POLL_IN != 0 { readiness.insert(.reading) }
      if interest & CURL_POLL_OUT != 0 { readiness.insert(.writing) }
    }
    let index = index(of: socket)
    // libcurl closes a descriptor of its own, such as one that ends the wait for a name, without another word.
    if want(readiness, index, isIdle: false) { _ = update(index) }
  }

  /// Watches the socket of a connection that is not in use.
  mutating func watchIdle(_ socket: Int32) {
    let index = index(of: socket)
    guard known[index].isOpen, known[index].wanted.isEmpty else { return }
    _ = want(.reading, index, isIdle: true)
  }

  /// Forgets a socket that is about to be closed: its number will be another one's.
  mutating func forget(_ socket: Int32) {
    let index = index(of: socket)
    unwatch(index)
    known[index].isOpen = false
  }

  /// The socket's index in `known`.
  private mutating func index(of socket: Int32) -> Int {
    let index = Int(max(socket, 0))
    while known.count <= index { known.append(State()) }
    return index
  }

  /// Notes what a socket is to be watched for.
  ///
  /// - Returns: Whether the system has to learn of it at once.
  private mutating func want(_ readiness: Readiness, _ index: Int, isIdle: Bool) -> Bool {
    var state = known[index]
    state.wanted = readiness
    state.isIdle = isIdle
    if readiness != state.watched, !state.isChanged {
      state.isChanged = true
      changed.append(index)
    }
    known[index] = state
    return !state.isOpen
  }

  private mutating func unwatch(_ index: Int) {
    known[index].isIdle = false
    known[index].wanted = Readiness()
    _ = update(index)
  }

  /// Makes the system watch a socket for what is wanted.
  ///
  /// - Returns: Whether it could.
  private mutating func update(_ index: Int) -> Bool {
    let (wanted, watched) = (known[index].wanted, known[index].watched)
    guard wanted != watched else { return true }
    known[index].watched = wanted
    if watched.isEmpty { return readiness.add(Int32(index), wanted, id: index) }
    if wanted.isEmpty { readiness.remove(Int32(index)) } else { readiness.change(Int32(index), wanted, id: index) }
    return true
  }

  /// Waits until something happens at a socket, or the time is over.
  ///
  /// - Parameters:
  ///   - milliseconds: How long; -1 for as long as it takes.
  ///   - ready: Gets the sockets and libcurl's `CURL_CSELECT_…` for each.
  /// - Returns: Whether the thread was woken through its pipe.
  mutating func wait(milliseconds: Int32, ready: inout [(socket: Int32, events: Int32)]) -> Bool {
    for index in changed {
      known[index].isChanged = false
      guard !update(index) else { continue }
      // A socket that the system has no memory to watch would hold up its transfer until its deadline.
      disconnect(Int32(index))
      ready.append((Int32(index), CURL_CSELECT_IN | CURL_CSELECT_ERR))
    }
    changed.removeAll(keepingCapacity: true)
    readiness.wait(milliseconds: ready.isEmpty ? milliseconds : 0, into: &entries)
    var isWoken = false
    for entry in entries {
      if entry.id == Self.wakeID {
        isWoken = true
      } else if known[entry.id].isIdle {
        disconnect(Int32(entry.id))
      } else {
        var events: Int32 = 0
        if entry.readiness.contains(.reading) { events |= CURL_CSELECT_IN }
        if entry.readiness.contains(.writing) { events |= CURL_CSELECT_OUT }
        if entry.readiness.contains(.failing) { events |= CURL_CSELECT_ERR }
        ready.append((Int32(entry.id), events))
      }
    }
    return isWoken
  }

  /// Closes a connection under libcurl, which owns the descriptor: a socket whose other end is closed takes its number.
  private mutating func disconnect(_ socket: Int32) {
    unwatch(Int(socket))
    guard let dead = WakePipe.closedSocket() else { return }
    _ = dup2(dead, socket)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    close(dead)
  }
}
