import CLibcurl

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The sockets that libcurl wants watched, and the pipe that wakes the thread.
struct SocketSet {
  private var entries: [pollfd]
  private var positions: [Int32: Int] = [:]

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
    if interest == CURL_POLL_REMOVE {
      remove(socket)
    } else if let position = positions[socket] {
      entries[position].events = Int16(events)
    } else {
      positions[socket] = entries.count
      entries.append(pollfd(fd: socket, events: Int16(events), revents: 0))
    }
  }

  private mutating func remove(_ socket: Int32) {
    guard let position = positions.removeValue(forKey: socket) else { return }
    let last = entries.removeLast()
    guard position < entries.count else { return }
    entries[position] = last
    positions[last.fd] = position
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
      ready.append((entry.fd, events))
      count -= 1
      if count == 0 { break }
    }
    return isWoken
  }
}
