// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Dispatch
  import Foundation
  import Synchronization
  import TestSupport
  import Testing
  import TokenStore

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The limit of descriptors, of a process of its own.
  @Suite(.takesTurns) struct FileTokenStorageDescriptorTests {
    /// With 0, 1, 2 … descriptors left, a call fails at each file that it opens, until there are enough.
    @Test func withoutDescriptorsACallFailsAndKeepsNone() async {
      // On a busy machine the process is ended so every few times.
      for _ in 1...8 {
        let isEndedByDispatch = Mutex(false)
        await withKnownIssue(
          "libdispatch traps if it has work waiting, and no descriptor to look at its threads in /proc.",
          isIntermittent: true
        ) {
          await #expect(processExitsWith: .success) { try await Self.tryWithoutDescriptors() }
        } matching: { issue in
          let isSignal = "\(issue)".contains("SIGILL")
          isEndedByDispatch.withLock { $0 = $0 || isSignal }
          return isSignal
        }
        if !isEndedByDispatch.withLock({ $0 }) { return }
      }
      Issue.record("Each process was ended by SIGILL: the trap may be one of ours.")
    }

    private static func tryWithoutDescriptors() async throws {
      let home = try TemporaryDirectory()
      let storage = FileTokenStorage(path: home.path("tokens"))
      try await storage.write(token("old"), for: "account")
      await openTheDescriptorsOfTimers()
      #expect(await filesLeftOpen(in: home.path) == [])
      let folder = storage.path
      let steps: [StorageCall: [String]] = [
        .read: ["open the directory \(folder)", "open \(folder)/account.json"],
        .list: ["open the directory \(folder)", "list \(folder)"],
        .write: [
          "open the directory \(folder)", "open \(folder)/account.lock", "open \(folder)/account.json",
        ],
        .remove: [
          "open the directory \(folder)", "open \(folder)/account.lock", "open \(folder)/account.json",
        ],
      ]
      for (call, steps) in steps {
        for (spare, step) in steps.enumerated() {
          let descriptors = Descriptors(leaving: spare)
          try await call.expectFailure(
            .unavailable,
            "Could not \(step): \(text(ofError: EMFILE)). Too many files are open; close some and try again.",
            of: storage)
          descriptors.release()
          #expect(await filesLeftOpen(in: home.path) == [], "\(call)")
        }
        let descriptors = Descriptors(leaving: steps.count)
        try await call.make(storage)
        descriptors.release()
        #expect(await filesLeftOpen(in: home.path) == [], "\(call)")
      }
    }
  }

  /// Returns when libdispatch has the descriptors that it opens for the first timer of each clock, on a thread of its own.
  ///
  /// Any later, it may take one of those that a call needs.
  private func openTheDescriptorsOfTimers() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(1)) { continuation.resume() }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(wallDeadline: .now() + .nanoseconds(1)) { continuation.resume() }
    }
    // The clock of the concurrency library is a third one.
    try? await ContinuousClock().sleep(for: .nanoseconds(1))
  }

  /// Takes all descriptors of the process but a few, until they are released.
  private final class Descriptors {
    private var taken: [Int32] = []
    private let before: rlimit

    init(leaving spare: Int) {
      var limits = rlimit()
      // The pointers are valid for the calls, which read or write one `rlimit`.
      unsafe getrlimit(limitOfDescriptors, &limits)
      before = limits
      limits.rlim_cur = 128
      unsafe setrlimit(limitOfDescriptors, &limits)
      while true {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { break }
        taken.append(descriptor)
      }
      for _ in 0..<spare { close(taken.removeLast()) }
    }

    /// Gives all back, so that the test can use some.
    func release() {
      for descriptor in taken { close(descriptor) }
      taken = []
      var limits = before
      unsafe setrlimit(limitOfDescriptors, &limits)
    }
  }

  /// The files of a folder that stay open.
  ///
  /// A call closes its own on another thread, perhaps after it has returned.
  private func filesLeftOpen(in folder: String) async -> [String] {
    for _ in 0..<10_000 {
      if openFiles(in: folder).isEmpty { break }
      await Task.yield()
    }
    return openFiles(in: folder)
  }

  /// The names of the open files of a folder, read without a descriptor.
  private func openFiles(in folder: String) -> [String] {
    (0..<Int32(128)).compactMap { descriptor in
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
        // The buffer is valid for the call, which writes no more than its count.
        guard let start = buffer.baseAddress,
          case let count = unsafe readlink("/proc/self/fd/\(descriptor)", start, buffer.count), count > 0
        else { return nil }
        let name = unsafe String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.hasPrefix(folder) ? name : nil
      }
    }
  }

  #if canImport(Glibc)
    private let limitOfDescriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private let limitOfDescriptors = RLIMIT_NOFILE
  #endif
#endif
