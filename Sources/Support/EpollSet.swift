// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import CLinux

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Descriptors that are watched together with epoll(7): waiting takes as long as there are ready ones, however many are
  /// watched.
  package final class EpollSet: Sendable {
    private let epoll: FileDescriptor

    /// Creates a set; `nil`, with `errno` set, if the system refuses.
    package init?() {
      let number = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard number >= 0 else { return nil }
      epoll = FileDescriptor(owning: number)
    }

    /// Watches a descriptor.
    ///
    /// - Parameter id: What ``wait(milliseconds:into:)`` calls the descriptor.
    /// - Returns: Whether the system had the memory for it.
    package func add(_ descriptor: Int32, _ readiness: Readiness, id: Int) -> Bool {
      control(EPOLL_CTL_ADD, descriptor, readiness, id)
    }

    /// Changes what a watched descriptor is to be ready for.
    package func change(_ descriptor: Int32, _ readiness: Readiness, id: Int) {
      _ = control(EPOLL_CTL_MOD, descriptor, readiness, id)
    }

    /// Stops watching a descriptor.
    ///
    /// It must still be open.
    package func remove(_ descriptor: Int32) {
      _ = control(EPOLL_CTL_DEL, descriptor, .reading, 0)
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Parameters:
    ///   - milliseconds: How long to wait; -1 for as long as it takes.
    ///   - ready: Gets the descriptors that are ready, in the place of what it has.
    package func wait(milliseconds: Int32, into ready: inout [ReadyDescriptor]) {
      var capacity = 64
      var milliseconds = milliseconds
      while !wait(milliseconds, into: &ready, capacity) {
        // They are all ready still.
        capacity *= 8
        milliseconds = 0
      }
    }

    /// - Returns: Whether all that are ready fit into the buffer.
    private func wait(_ milliseconds: Int32, into ready: inout [ReadyDescriptor], _ capacity: Int) -> Bool {
      ready.removeAll(keepingCapacity: true)
      return unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: capacity) { events in
        // The pointer and the count are the allocation's own; the call initializes as many elements as it returns.
        let count = unsafe epoll_wait(epoll.number, events.baseAddress, Int32(events.count), milliseconds)
        guard count > 0 else { return true }
        for index in 0..<Int(count) {
          ready.append(unsafe ReadyDescriptor(events[index]))
        }
        return Int(count) < capacity
      }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness, _ id: Int) -> Bool {
      var events: UInt32 = 0
      if readiness.contains(.reading) { events |= EPOLLIN.rawValue }
      if readiness.contains(.writing) { events |= EPOLLOUT.rawValue }
      var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: UInt64(UInt(bitPattern: id))))
      // The event is a local, which the call reads and does not keep.
      return unsafe epoll_ctl(epoll.number, operation, descriptor, &event) == 0
    }
  }

  extension ReadyDescriptor {
    /// Takes over what the system says, which keeps the identifier for us.
    fileprivate init(_ event: epoll_event) {
      let events = unsafe event.events
      var readiness = Readiness()
      if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.reading) }
      if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writing) }
      if events & EPOLLERR.rawValue != 0 { readiness.insert(.failing) }
      self.init(id: unsafe Int(bitPattern: UInt(event.data.u64)), readiness: readiness)
    }
  }
#endif
