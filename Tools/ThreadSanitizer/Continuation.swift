// SPDX-License-Identifier: Apache-2.0

// A continuation that is resumed before its task has suspended hands its value over by an atomic in the runtime, which the thread
// sanitizer does not see. These hand the value over under a lock, and the runtime's continuation tells only that it is there.

/// A value on its way from the code that resumes to the task that waits.
///
/// `@unchecked`: the outcome is reached under the lock alone, is put there once and taken once.
package final class Handover<Value, Failure: Error>: @unchecked Sendable {
  private let lock = Mutex(())
  private var outcome: Result<Value, Failure>?

  fileprivate func put(_ outcome: Result<Value, Failure>) { lock.withLock { _ in self.outcome = outcome } }

  fileprivate func take() throws(Failure) -> Value {
    nonisolated(unsafe) var taken: Result<Value, Failure>?
    lock.withLock { _ in unsafe taken = outcome }
    guard let taken = unsafe taken else { preconditionFailure("A continuation was resumed without a value.") }
    return try taken.get()
  }
}

package struct CheckedContinuation<Value, Failure: Error>: Sendable {
  fileprivate let base: _Concurrency.CheckedContinuation<Void, Never>
  fileprivate let handover: Handover<Value, Failure>

  package func resume(with result: sending Result<Value, Failure>) {
    handover.put(result)
    base.resume()
  }

  package func resume(returning value: sending Value) { resume(with: .success(value)) }

  package func resume(throwing error: Failure) { resume(with: .failure(error)) }

  package func resume() where Value == Void { resume(returning: ()) }
}

@unsafe package struct UnsafeContinuation<Value, Failure: Error>: Sendable {
  fileprivate let base: _Concurrency.UnsafeContinuation<Void, Never>
  fileprivate let handover: Handover<Value, Failure>

  package func resume(returning value: sending Value) {
    handover.put(.success(value))
    unsafe base.resume()
  }

  package func resume(throwing error: Failure) {
    handover.put(.failure(error))
    unsafe base.resume()
  }
}

package func withCheckedContinuation<Value>(
  _ body: (CheckedContinuation<Value, Never>) -> Void
) async -> Value {
  let handover = Handover<Value, Never>()
  await _Concurrency.withCheckedContinuation { body(CheckedContinuation(base: $0, handover: handover)) }
  return handover.take()
}

package func withCheckedThrowingContinuation<Value>(
  _ body: (CheckedContinuation<Value, any Error>) -> Void
) async throws -> Value {
  let handover = Handover<Value, any Error>()
  await _Concurrency.withCheckedContinuation { body(CheckedContinuation(base: $0, handover: handover)) }
  return try handover.take()
}

@unsafe package func withUnsafeThrowingContinuation<Value>(
  _ body: (UnsafeContinuation<Value, any Error>) -> Void
) async throws -> Value {
  let handover = Handover<Value, any Error>()
  await unsafe _Concurrency.withUnsafeContinuation { unsafe body(UnsafeContinuation(base: $0, handover: handover)) }
  return try handover.take()
}
