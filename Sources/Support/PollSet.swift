// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Descriptors watched together with poll(2).
///
/// The cost of a wait in the system grows with the number of watched descriptors.
package final class PollSet: Sendable {
  private struct State {
    var entries: [pollfd] = []
    /// The identifier of each entry.
    var ids: [Int] = []
    /// The position of each descriptor's entry.
    var places: [Int32: Int] = [:]
  }

  private let state = Mutex(State())

  /// Creates a set.
  package init?() {}

  /// Watches a descriptor.
  ///
  /// - Parameter id: The identifier of the descriptor in the results of ``wait(milliseconds:into:)``.
  /// - Returns: `true`.
  package func add(_ descriptor: Int32, _ readiness: Readiness, id: Int) -> Bool {
    state.withLock { state in
      state.places[descriptor] = state.entries.count
      state.entries.append(pollfd(fd: descriptor, events: readiness.events, revents: 0))
      state.ids.append(id)
    }
    return true
  }

  /// Changes the readiness to watch a descriptor for.
  package func change(_ descriptor: Int32, _ readiness: Readiness, id: Int) {
    state.withLock { state in
      if let place = state.places[descriptor] { state.entries[place].events = readiness.events }
    }
  }

  /// Stops watching a descriptor.
  ///
  /// The descriptor must still be open.
  package func remove(_ descriptor: Int32) {
    state.withLock { state in
      guard let place = state.places.removeValue(forKey: descriptor) else { return }
      // The last entry moves to its position.
      state.entries.swapAt(place, state.entries.count - 1)
      state.ids.swapAt(place, state.ids.count - 1)
      state.entries.removeLast()
      state.ids.removeLast()
      if place < state.entries.count { state.places[state.entries[place].fd] = place }
    }
  }

  /// Waits until a descriptor is ready.
  ///
  /// - Parameters:
  ///   - milliseconds: The maximum wait, or -1 for no maximum.
  ///   - ready: The array whose content is replaced by the ready descriptors.
  package func wait(milliseconds: Int32, into ready: inout [ReadyDescriptor]) {
    ready.removeAll(keepingCapacity: true)
    state.withLock { state in
      // Only the call uses the array during the call, and the count is the array's own.
      let count = unsafe poll(&state.entries, nfds_t(state.entries.count), milliseconds)
      guard count > 0 else { return }
      for (entry, id) in zip(state.entries, state.ids) where entry.revents != 0 {
        ready.append(ReadyDescriptor(id: id, readiness: entry.readiness))
      }
    }
  }
}

extension Readiness {
  fileprivate var events: Int16 {
    Int16((contains(.reading) ? POLLIN : 0) | (contains(.writing) ? POLLOUT : 0))
  }
}

extension pollfd {
  fileprivate var readiness: Readiness {
    let events = Int32(revents)
    var readiness = Readiness()
    if events & Int32(POLLIN | POLLHUP) != 0 { readiness.insert(.reading) }
    if events & Int32(POLLOUT) != 0 { readiness.insert(.writing) }
    if events & Int32(POLLERR | POLLNVAL) != 0 { readiness.insert(.failing) }
    return readiness
  }
}
