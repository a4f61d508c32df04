// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import Support
  import CEpoll

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Descriptors that are watched together with epoll(7): waiting takes as long as there are ready ones, however many are
  /// watched.
  package final class EpollSet: Sendable {
    private let epoll: FileDescriptor

    package init() throws(LoopbackError) {
      let number = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard number >= 0 else {
        throw LoopbackError(.system, "The system refused to create an epoll instance (errno \(errno)).")
      }
      epoll = FileDescriptor(owning: number)
    }

    /// Watches a descriptor.
    ///
    /// - Parameter id: What ``wait(milliseconds:)`` calls the descriptor.
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
    /// - Parameter milliseconds: How long to wait; -1 for as long as it takes.
    /// - Returns: The identifiers of some of the descriptors that are ready.
    package func wait(milliseconds: Int32) -> [Int] {
      unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 32) { events in
        // The pointer and the count are the allocation's own; the call initializes as many elements as it returns.
        let count = unsafe epoll_wait(epoll.number, events.baseAddress, Int32(events.count), milliseconds)
        return count > 0 ? unsafe events.prefix(Int(count)).map { unsafe Int(bitPattern: UInt($0.data.u64)) } : []
      }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness, _ id: Int) -> Bool {
      let events = readiness == .reading ? EPOLLIN : EPOLLOUT
      var event = unsafe epoll_event(events: events.rawValue, data: epoll_data_t(u64: UInt64(UInt(bitPattern: id))))
      // The event is a local, which the call reads and does not keep.
      return unsafe epoll_ctl(epoll.number, operation, descriptor, &event) == 0
    }
  }
#endif
