// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Dispatch

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// All descriptors of the process but a few, which are taken while a test tries something.
  ///
  /// For a process of its own, since every thread is short of descriptors meanwhile.
  package struct ScarceDescriptors: ~Copyable {
    private static let attempts = 2_000

    private let taken: [Int32]
    private let before: rlimit

    /// Takes one descriptor more than are to be left, sets the limit behind the last one, and closes the others again.
    ///
    /// The system returns the lowest free number, so below the limit only those are free. A limit that is a constant would not do: a child
    /// process inherits descriptors, and they can have every number below it.
    private init(leaving spare: Int) {
      var limits = rlimit()
      // Safe, as in `deinit`: the pointers are valid for the calls, which read or write one `rlimit`.
      unsafe getrlimit(limitOfDescriptors, &limits)
      before = limits
      var taken = (0...spare).map { _ in unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }.filter { $0 >= 0 }
      if let last = taken.last {
        limits.rlim_cur = rlim_t(last + 1)
        unsafe setrlimit(limitOfDescriptors, &limits)
      }
      while taken.count > 1 { close(taken.removeLast()) }
      self.taken = taken
    }

    deinit {
      for number in taken { close(number) }
      var limits = before
      unsafe setrlimit(limitOfDescriptors, &limits)
    }

    /// Returns what `attempt` returns while the process has few descriptors left.
    ///
    /// Once a second, libdispatch checks whether work waits for its global queues. If so, it opens a file in `/proc`, and traps if it cannot.
    /// `attempt` therefore runs on a queue of its own, and must not start work on a global queue. Other descriptors of the process can be
    /// opened or closed meanwhile, so unexpected results are tried again.
    ///
    /// - Parameters:
    ///   - spare: The number of descriptors that are left.
    ///   - isExpected: Whether the test expects the result.
    package static func leave<Outcome>(
      _ spare: Int, until isExpected: (Outcome) -> Bool, _ attempt: () async -> Outcome
    ) async -> Outcome {
      await startTimers()
      return await withTaskExecutorPreference(SerialTaskExecutor()) {
        for _ in 1..<attempts {
          let outcome = await withFew(spare, attempt)
          if isExpected(outcome) { return outcome }
          await Task.yield()
        }
        return await withFew(spare, attempt)
      }
    }

    /// Lets libdispatch open its descriptors for timers, one for each of three clocks.
    private static func startTimers() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) { continuation.resume() }
      }
      // The clock of `Task.sleep` is the third.
      try? await Task.sleep(for: .milliseconds(1), clock: .continuous)
    }

    private static func withFew<Outcome>(_ spare: Int, _ body: () async -> Outcome) async -> Outcome {
      let descriptors = ScarceDescriptors(leaving: spare)
      let outcome = await body()
      _ = consume descriptors
      return outcome
    }
  }

  #if canImport(Glibc)
    private let limitOfDescriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private let limitOfDescriptors = RLIMIT_NOFILE
  #endif
#endif
