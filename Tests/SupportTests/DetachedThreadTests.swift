// SPDX-License-Identifier: Apache-2.0

import Support
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite(.takesTurns) struct DetachedThreadTests {
  /// Runs `body` on a thread of its own; `nil` if there is none.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    await withCheckedContinuation { continuation in
      if !DetachedThread.start({ continuation.resume(returning: body()) }) { continuation.resume(returning: nil) }
    }
  }

  /// The program's signals go to its own threads, and the thread that starts another keeps its own mask.
  @Test func threadReceivesOnlyTheSignalsOfItsOwnFaults() async {
    @Sendable func blocked() -> Set<Int32> {
      var mask = sigset_t()
      // Safe: the calls read and fill the local.
      unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
      return Set((1...31).filter { unsafe sigismember(&mask, $0) == 1 })
    }
    let faults: Set<Int32> = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
    // No thread can block these two.
    #expect(await onThread(blocked) == Set(1...31).subtracting(faults).subtracting([SIGKILL, SIGSTOP]))
    let before = blocked()
    let isStarted = DetachedThread.start {}
    let after = blocked()
    #expect(isStarted && after == before)
  }

  @Test func sleepLastsAtLeastItsTime() async {
    let time = await onThread {
      let start = ContinuousClock.now
      DetachedThread.sleep(.milliseconds(5))
      return ContinuousClock.now - start
    }
    // A wrong unit would be a thousand times as long.
    #expect(time.map { $0 >= .milliseconds(5) && $0 < .seconds(5) } == true)
  }
}
