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
    private static let limit = rlim_t(256)
    private static let attempts = 2_000

    private let taken: [Int32]
    private let before: rlimit

    private init(leaving spare: Int) {
      var limits = rlimit()
      // Safe, as in `deinit`: the pointers are valid for the calls, which read or write one `rlimit`.
      unsafe getrlimit(limitOfDescriptors, &limits)
      before = limits
      limits.rlim_cur = Self.limit
      unsafe setrlimit(limitOfDescriptors, &limits)
      var taken: [Int32] = []
      while case let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC), number >= 0 { taken.append(number) }
      for _ in 0..<spare { close(taken.removeLast()) }
      self.taken = taken
    }

    deinit {
      for number in taken { close(number) }
      var limits = before
      unsafe setrlimit(limitOfDescriptors, &limits)
    }

    /// Returns what `attempt` returns while the process has few descriptors left.
    ///
    /// On a busy machine, libdispatch reads the state of its threads from `/proc` once a second, for which it opens a file. If it does so
    /// during an attempt, or while descriptors are taken, there is one too few or too many. Unexpected results are therefore tried again,
    /// often enough for a thread that has such a file open and waits for a processor.
    ///
    /// - Parameters:
    ///   - spare: The number of descriptors that are left.
    ///   - isExpected: Whether the test expects the result.
    package static func leave<Outcome>(
      _ spare: Int, until isExpected: (Outcome) -> Bool, _ attempt: () async -> Outcome
    ) async -> Outcome {
      await startTimers()
      for _ in 1..<attempts {
        let outcome = await withFew(spare, attempt)
        if isExpected(outcome) { return outcome }
        // The thread that has the file open can be the one that waits for a processor.
        await Task.yield()
      }
      return await withFew(spare, attempt)
    }

    /// Lets libdispatch open the descriptors of its timers.
    ///
    /// It does so for the first timer of each of its three clocks, ends the process if there is none left, and starts a timer by itself
    /// when its threads are busy.
    private static func startTimers() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) { continuation.resume() }
      }
      // The clock of tasks that wait.
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
