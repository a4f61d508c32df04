// SPDX-License-Identifier: Apache-2.0

import CLibcurl

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
struct SocketSet {
  private var entries: [pollfd]
  /// What is known of a socket, by its number: the system gives the lowest ones that are free.
  private var known: [State] = []

  private struct State {
    /// Where the socket is in `entries`; 0, which is the pipe's place, if it is not watched.
    var position = 0
    /// Whether libcurl has not closed it.
    var isOpen = false
    /// Whether it is watched because its connection is idle.
    var isIdle = false
  }

  init(wakePipe: WakePipe) {
    entries = [pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0)]
  }

  /// Watches a socket for what libcurl says, or no longer.
  ///
  /// - Parameter interest: One of libcurl's `CURL_POLL_…`.
  mutating func watch(_ socket: Int32, for interest: Int32) {
    var events: Int32 = 0
    if interest & CURL_POLL_IN != 0 { events |= Int32(POLLIN) }
    if interest & CURL_POLL_OUT != 0 { events |= Int32(POLLOUT) }
    let index = index(of: socket)
    known[index].isIdle = false
    guard interest != CURL_POLL_REMOVE else { return remove(index) }
    known[index].isOpen = true
    set(index, events: events)
  }

  /// Watches the socket of a connection that is not in use.
  mutating func watchIdle(_ socket: Int32) {
    let index = index(of: socket)
    guard known[index].isOpen, known[index].position == 0 else { return }
    known[index].isIdle = true
    set(index, events: Int32(POLLIN))
  }

  /// Forgets a socket that is about to be closed: its number will be another one's.
  mutating func forget(_ socket: Int32) {
    let index = index(of: socket)
    remove(index)
    known[index] = State()
  }

  /// The socket's index in `known`.
  private mutating func index(of socket: Int32) -> Int {
    let index = Int(max(socket, 0))
    while known.count <= index { known.append(State()) }
    return index
  }

  private mutating func set(_ index: Int, events: Int32) {
    if known[index].position > 0 {
      entries[known[index].position].events = Int16(events)
    } else {
      known[index].position = entries.count
      entries.append(pollfd(fd: Int32(index), events: Int16(events), revents: 0))
    }
  }

  private mutating func remove(_ index: Int) {
    let position = known[index].position
    guard position > 0 else { return }
    known[index].position = 0
    let last = entries.removeLast()
    guard position < entries.count else { return }
    entries[position] = last
    known[Int(last.fd)].position = position
  }

  /// Waits until something happens at a socket, or the time is over.
  ///
  /// - Parameters:
  ///   - milliseconds: How long; -1 for as long as it takes.
  ///   - ready: Gets the sockets and libcurl's `CURL_CSELECT_…` for each.
  /// - Returns: Whether the thread was woken through its pipe.
  mutating func wait(milliseconds: Int32, ready: inout [(socket: Int32, events: Int32)]) -> Bool {
    var count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)  // the array and its own count
    guard count > 0 else { return false }
    let isWoken = entries[0].revents != 0
    if isWoken { count -= 1 }
    for entry in entries.dropFirst() where entry.revents != 0 {
      var events: Int32 = 0
      if Int32(entry.revents) & Int32(POLLIN | POLLHUP) != 0 { events |= CURL_CSELECT_IN }
      if Int32(entry.revents) & Int32(POLLOUT) != 0 { events |= CURL_CSELECT_OUT }
      if Int32(entry.revents) & Int32(POLLERR | POLLNVAL) != 0 { events |= CURL_CSELECT_ERR }
      if known[Int(entry.fd)].isIdle { disconnect(entry.fd) } else { ready.append((entry.fd, events)) }
      count -= 1
      if count == 0 { break }
    }
    return isWoken
  }

  /// Closes an idle connection under libcurl, which owns the descriptor: a socket whose other end is closed takes its number.
  private mutating func disconnect(_ socket: Int32) {
    forget(socket)
    guard let dead = WakePipe.closedSocket() else { return }
    _ = dup2(dead, socket)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    close(dead)
  }
}
