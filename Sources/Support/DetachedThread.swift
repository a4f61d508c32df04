// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Threads of the process, apart from those running tasks.
///
/// They receive no signals except those for their own faults. The program's threads receive all others.
package enum DetachedThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Blocks the calling thread, which `start` must have created.
  package static func sleep(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    // Safe: the call reads the local. A signal may end it early.
    unsafe _ = nanosleep(&rest, nil)
  }

  /// Runs `body` on a new thread.
  ///
  /// - Returns: Whether the thread was created.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let context = unsafe Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    var all = sigset_t()
    var old = sigset_t()
    // Safe: the sets are locals. A new thread inherits the signal mask of the thread that creates it.
    unsafe sigfillset(&all)
    for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { unsafe sigdelset(&all, fault) }
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
    // Safe: the context is retained here and released by the thread, which alone reads it.
    let result = unsafe pthread_create(
      &thread, nil,
      { context in
        #if canImport(Darwin)
          let context: UnsafeMutableRawPointer? = unsafe context
        #endif
        if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      unsafe context.release()
      return false
    }
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }
}
