// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How long a thread has been on a processor, for other threads to read.
///
/// On Apple's platforms, where that is not to be had from this interface, it is the time of day.
struct ThreadClock: Sendable {
  private let id: clockid_t

  /// Creates the clock of the calling thread.
  init() {
    var id = CLOCK_MONOTONIC
    #if !canImport(Darwin)
      // Safe: the call fills the local. Without a clock of the thread's own the local stays as it is.
      var own = clockid_t()
      if unsafe pthread_getcpuclockid(pthread_self(), &own) == 0 { id = own }
    #endif
    self.id = id
  }

  /// The time so far; zero once the thread has ended.
  var now: Duration {
    var time = timespec()
    // Safe: the call fills the local.
    guard unsafe clock_gettime(id, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
