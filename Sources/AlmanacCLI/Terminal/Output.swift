// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output, which remembers its first failure: a command that cannot deliver its output stops.
final class Output: Sendable {
  /// Why standard output is lost.
  enum Fault: Sendable {
    /// The reading end is closed, as after `head`.
    case closed
    case failed
  }

  private struct State {
    var fault: Fault?
    var handler: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The first fault.
  var fault: Fault? { state.withLock { $0.fault } }

  /// Calls `handler` when standard output is lost, at once if it is so already.
  func onFault(_ handler: @escaping @Sendable () -> Void) {
    let isLost = state.withLock { state in
      state.handler = handler
      return state.fault != nil
    }
    if isLost { handler() }
  }

  /// Writes bytes; nothing after a fault.
  func write(_ bytes: [UInt8]) {
    guard fault == nil, let error = writeAll(bytes, to: 1) else { return }
    let handler = state.withLock { state in
      state.fault = error == EPIPE ? .closed : .failed
      return state.handler
    }
    handler?()
  }
}

/// Writes every byte to a file descriptor.
///
/// - Returns: The error number if it did not succeed.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    // The pointer is used within the call that reads from it.
    let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      // One entry, a local.
      _ = unsafe poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}
