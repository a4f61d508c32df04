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

/// The watched descriptors: libcurl's sockets, the sockets of idle connections, and the pipe that wakes the thread.
///
/// libcurl does not check a connection while it is idle, and reads the bytes received in the meantime as the beginning
/// of the next response. If anything arrives on an idle connection, this type therefore closes the connection at once.
/// libcurl detects this before it would reuse the connection.
///
/// libcurl changes the readiness that it waits for several times in a transfer, and usually ends with the initial one. Changes
/// are therefore passed to the system only before a wait.
struct SocketSet {
  private static let wakeID = -1

  private let readiness: ReadinessSet
  /// The state of each socket, by its number: the system assigns the lowest free numbers.
  private var known: [State] = []
  /// The sockets with changes that may have to be passed to the system.
  private var changed: [Int] = []
  private var entries: [ReadyDescriptor] = []

  private struct State {
    /// The readiness to watch for, or empty for none.
    var wanted = Readiness()
    /// The readiness watched for by the system, or empty for none.
    var watched = Readiness()
    /// Whether the socket is among `changed`.
    var isChanged = false
    /// Whether libcurl has opened the socket and not closed it.
    var isOpen = false
    /// Whether the socket is watched because its connection is idle.
    var isIdle = false
    /// The number of sockets with this number so far.
    var openings: UInt32 = 0
  }

  /// A socket, as distinguished from later ones with the same number.
  struct Socket {
    let number: Int32
    fileprivate let openings: UInt32
  }

  /// A socket on which something has happened, and libcurl's `CURL_CSELECT_…` for it.
  struct Ready {
    let socket: Socket
    let events: Int32
  }

  /// Creates a set, or returns `nil` if the process has no descriptors left.
  init?(wakePipe: WakePipe) {
    guard let readiness = ReadinessSet(), readiness.add(wakePipe.readEnd, .reading, id: Self.wakeID) else { return nil }
    self.readiness = readiness
  }

  /// Records that libcurl has opened a socket.
  ///
  /// libcurl later reports its closing.
  mutating func noteOpening(of socket: Int32) {
    let index = index(of: socket)
    let old = known[index]
    known[index] = State()
    known[index].isChanged = old.isChanged
    known[index].isOpen = true
    known[index].openings = old.openings &+ 1
  }

  /// Returns the current socket with this number.
  mutating func socket(_ number: Int32) -> Socket {
    Socket(number: number, openings: known[index(of: number)].openings)
  }

  /// Whether the number still belongs to this socket.
  func isCurrent(_ socket: Socket) -> Bool { known[Int(max(socket.number, 0))].openings == socket.openings }

  /// Whether a socket is open and has this local port.
  func isOpen(_ socket: Socket, localPort: Int) -> Bool {
    isCurrent(socket) && known[Int(max(socket.number, 0))].isOpen && Self.localPort(of: socket.number) == localPort
  }

  /// The open socket with this local port, or `nil` if there is none, or several.
  func socket(localPort: Int) -> Socket? {
    let numbers = known.indices.filter { known[$0].isOpen && Self.localPort(of: Int32($0)) == localPort }
    guard numbers.count == 1, let number = numbers.first else { return nil }
    return Socket(number: Int32(number), openings: known[number].openings)
  }

  /// The local port of a socket, or `nil` if the socket is not bound to a port.
  private static func localPort(of socket: Int32) -> Int? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    // Safe: the system writes at most the size of the local. IPv4 and IPv6 have the port at the same offset.
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
      let result = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket, $0, &size)
      }
      guard result == 0, [AF_INET, AF_INET6].contains(Int32(unsafe pointer.pointee.ss_family)) else { return nil }
      return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(UInt16(bigEndian: unsafe $0.pointee.sin_port))
      }
    }
  }

  /// Whether the socket is open, has no unread bytes and has not reached its end.
  func isQuiet(_ socket: Socket) -> Bool {
    guard isCurrent(socket), known[Int(max(socket.number, 0))].isOpen else { return false }
    var byte: UInt8 = 0
    // Safe: at most one byte is written to a local of one byte. Peeking leaves it in the socket.
    return unsafe recv(socket.number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
      && errno == EAGAIN
  }

  /// Watches a socket as libcurl requests, or stops watching it.
  ///
  /// - Parameter interest: One of libcurl's `CURL_POLL_…`.
  mutating func watch(_ socket: Int32, for interest: Int32) {
    var readiness = Readiness()
    if interest != CURL_POLL_REMOVE {
      if interest & CURL_POLL_IN != 0 { readiness.insert(.reading) }
      if interest & CURL_POLL_OUT != 0 { readiness.insert(.writing) }
    }
    let index = index(of: socket)
    guard want(readiness, index, isIdle: false) else { return }
    // libcurl closes an internal descriptor, such as one that ends the wait for a name lookup, without reporting it.
    _ = update(index)
    if !readiness.isEmpty { SocketPair(end: socket).keepFromPrograms() }
  }

  /// Watches the socket of an idle connection.
  mutating func watchIdle(_ socket: Socket) {
    let index = index(of: socket.number)
    guard isCurrent(socket), known[index].isOpen, known[index].wanted.isEmpty else { return }
    _ = want(.reading, index, isIdle: true)
  }

  /// Forgets a socket that is about to be closed: its number can be reused.
  mutating func forget(_ socket: Int32) {
    let index = index(of: socket)
    unwatch(index)
    known[index].isOpen = false
    // An event of this socket must not be attributed to the next one.
    known[index].openings &+= 1
  }

  /// The socket's index in `known`.
  private mutating func index(of socket: Int32) -> Int {
    let index = Int(max(socket, 0))
    while known.count <= index { known.append(State()) }
    return index
  }

  /// Records the readiness to watch a socket for.
  ///
  /// - Returns: Whether the change has to be passed to the system at once.
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

  /// Makes the system watch a socket for the wanted events.
  ///
  /// - Returns: Whether this succeeded.
  private mutating func update(_ index: Int) -> Bool {
    let (wanted, watched) = (known[index].wanted, known[index].watched)
    guard wanted != watched else { return true }
    known[index].watched = wanted
    if watched.isEmpty { return readiness.add(Int32(index), wanted, id: index) }
    if wanted.isEmpty { readiness.remove(Int32(index)) } else { readiness.change(Int32(index), wanted, id: index) }
    return true
  }

  /// Waits until something happens at a socket, or the time has elapsed.
  ///
  /// - Parameters:
  ///   - milliseconds: The maximum wait, or -1 for no maximum.
  ///   - ready: The array for the sockets.
  /// - Returns: Whether the thread was woken through its pipe.
  mutating func wait(milliseconds: Int32, ready: inout [Ready]) -> Bool {
    for index in changed {
      known[index].isChanged = false
      guard !update(index) else { continue }
      // If the system has no memory for watching the socket, its transfer would block until its deadline.
      disconnect(Int32(index))
      ready.append(Ready(socket: socket(Int32(index)), events: CURL_CSELECT_IN | CURL_CSELECT_ERR))
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
        ready.append(Ready(socket: socket(Int32(entry.id)), events: events))
      }
    }
    return isWoken
  }

  /// Ends a connection of libcurl, unless it is already closed.
  mutating func disconnect(_ socket: Socket) {
    if isCurrent(socket), known[index(of: socket.number)].isOpen { disconnect(socket.number) }
  }

  /// Ends a connection without closing its descriptor, which libcurl owns: the descriptor gets a socket whose peer is closed.
  private mutating func disconnect(_ socket: Int32) {
    unwatch(Int(socket))
    guard let (dead, other) = PrivateSocket.pair() else { return }
    PrivateSocket.replace(socket, by: dead)
    close(dead)
    close(other)
  }
}
