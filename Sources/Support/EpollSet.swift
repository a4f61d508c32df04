// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import CLinux

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Descriptors watched together with epoll(7).
  ///
  /// The cost of a wait depends on the number of ready descriptors, not on the number of watched ones.
  package final class EpollSet: Sendable {
    private let epoll: FileDescriptor

    /// Creates a set, or returns `nil`, with `errno` set, if the system call fails.
    package init?() {
      let number = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard number >= 0 else { return nil }
      epoll = FileDescriptor(owning: number)
    }

    /// Watches a descriptor.
    ///
    /// - Parameter id: The identifier of the descriptor in the results of ``wait(milliseconds:into:)``.
    /// - Returns: Whether the descriptor is watched, or `false` if the system has no memory left.
    package func add(_ descriptor: Int32, _ readiness: Readiness, id: Int) -> Bool {
      control(EPOLL_CTL_ADD, descriptor, readiness, id)
    }

    /// Changes the readiness to watch a descriptor for.
    package func change(_ descriptor: Int32, _ readiness: Readiness, id: Int) {
      _ = control(EPOLL_CTL_MOD, descriptor, readiness, id)
    }

    /// Stops watching a descriptor.
    ///
    /// The descriptor must still be open.
    package func remove(_ descriptor: Int32) {
      _ = control(EPOLL_CTL_DEL, descriptor, .reading, 0)
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Parameters:
    ///   - milliseconds: The maximum wait, or -1 for no maximum.
    ///   - ready: The array whose content is replaced by the ready descriptors.
    package func wait(milliseconds: Int32, into ready: inout [ReadyDescriptor]) {
      var capacity = 64
      var milliseconds = milliseconds
      while !wait(milliseconds, into: &ready, capacity) {
        // The buffer was full. All descriptors are still ready, so the next call returns them again.
        capacity *= 8
        milliseconds = 0
      }
    }

    /// - Returns: Whether all ready descriptors fit into the buffer.
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
    /// Creates the descriptor of the system's event, which contains its identifier.
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
