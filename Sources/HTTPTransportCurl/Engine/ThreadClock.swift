// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A clock of a thread's processor time, which other threads can read.
///
/// On Apple platforms, where `pthread_getcpuclockid` does not exist, it is the system's monotonic clock.
package struct ThreadClock: Sendable {
  private let id: clockid_t

  /// Creates the clock of the calling thread.
  package init() {
    var id = CLOCK_MONOTONIC
    #if !canImport(Darwin)
      // Safe: the call fills the local. If the thread has no clock, the monotonic clock is used.
      var own = clockid_t()
      if unsafe pthread_getcpuclockid(pthread_self(), &own) == 0 { id = own }
    #endif
    self.id = id
  }

  /// The time so far, or zero after the thread has ended.
  package var now: Duration {
    var time = timespec()
    // Safe: the call fills the local.
    guard unsafe clock_gettime(id, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
