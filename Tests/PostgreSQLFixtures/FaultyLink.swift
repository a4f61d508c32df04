// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
  import Support
  import Synchronization
  import TestSupport

  /// A loopback port in front of a server's, whose connections fail after a number of bytes.
  package final class FaultyLink: Sendable {
    package enum Fault: CaseIterable, Sendable {
      /// Both ends receive the end of the connection.
      case cut
      /// The client receives a reset.
      case reset
      /// The server receives the end of the connection, and the client nothing.
      case halfOpen
      /// Both ends receive nothing.
      case blackHole
      /// The client receives nothing, and the server the rest of the request after the client has closed the connection.
      case late
    }

    private struct State {
      var fault = Fault.cut
      var isLasting = false
      var isBroken = false
      var limit = Int.max
      var passed = 0

      /// Returns how many of `count` bytes pass, and sets the fault that happens after them.
      mutating func pass(_ count: Int, _ failure: inout Fault?) -> Int {
        let allowed = min(count, limit - passed)
        passed += allowed
        if passed == limit {
          failure = fault
          (isBroken, limit) = (isLasting, .max)
        }
        return allowed
      }
    }

    package let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    package init(to server: Int) throws {
      guard let (listener, port) = RawSocket.listener(AF_INET) else { throw ClusterError("No port is free.") }
      (self.listener, self.port) = (listener, port)
      _ = DetachedThread.start { [self] in
        while case let client = PrivateSocket.accept(from: listener), client >= 0 {
          let isStarted = DetachedThread.start { [self] in serve(client, server) }
          if !isStarted { close(client) }
        }
        close(listener)
      }
    }

    /// Ends the listener.
    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The number of bytes that passed in both directions after the last call of ``fail(_:after:isLasting:)``.
    package var passed: Int { state.withLock(\.passed) }

    /// Lets the open connection fail after `limit` bytes in both directions, and until ``repair()`` every new one if `isLasting`.
    package func fail(_ fault: Fault, after limit: Int, isLasting: Bool) {
      state.withLock { $0 = State(fault: fault, isLasting: isLasting, limit: limit) }
    }

    /// Ends the silent connections, and lets new ones pass.
    package func repair() { state.withLock { $0 = State() } }

    private func serve(_ client: Int32, _ port: Int) {
      let refusal = state.withLock { $0.isBroken ? $0.fault : nil }
      var failure = refusal
      var ends = [client, refusal == nil ? RawSocket.connect(to: port) : -1]
      defer { for end in ends where end >= 0 { close(end) } }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var held: [UInt8] = []
      while refusal == nil || state.withLock(\.isBroken) {
        if failure == .reset { RawSocket.resetOnClose(client) }
        if failure == .cut || failure == .reset { return }
        var entries = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Safe: the array has two entries, the system writes at most the buffer's size, and reads at most what is in an array.
        guard unsafe poll(&entries, 2, 10) > 0 else { continue }
        for (source, target) in [(0, 1), (1, 0)] where entries[source].revents != 0 {
          let count = unsafe read(ends[source], &buffer, buffer.count)
          guard count > 0 else {
            if source == 0 { unsafe send(ends[1], held, held.count, Int32(MSG_NOSIGNAL)) }
            if source == 0 || failure == nil { return }
            close(ends[1])
            ends[1] = -1
            continue
          }
          let passed = failure == nil ? state.withLock { $0.pass(count, &failure) } : 0
          unsafe send(ends[target], buffer, passed, Int32(MSG_NOSIGNAL))
          if failure == .late, source == 0 { held += buffer[passed..<count] }
          if failure == .halfOpen, ends[1] >= 0 {
            close(ends[1])
            ends[1] = -1
          }
        }
      }
    }
  }
#endif
