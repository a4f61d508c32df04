// SPDX-License-Identifier: Apache-2.0

/// What the conformance kits have in common.
enum Conformance {
  /// How a promise was broken.
  struct Broken: Error {
    let detail: String
  }

  static func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    guard condition else { throw Broken(detail: detail()) }
  }

  /// Runs a check in a task of its own: an implementation that never returns, and ignores cancellation, must not hold the kit.
  ///
  /// - Throws: ``ConformanceFailure`` if `check` throws, or does not return within `patience`; `CancellationError`.
  static func run(
    _ promise: String, patience: Duration, _ check: @escaping @Sendable () async throws -> Void
  ) async throws {
    let (outcome, end) = AsyncThrowingStream<Never, any Error>.makeStream()
    let work = Task {
      do {
        try await check()
        end.finish()
      } catch let broken as Broken {
        end.finish(throwing: ConformanceFailure(promise: promise, detail: broken.detail))
      } catch {
        let detail = "An unexpected \(type(of: error)) was thrown."
        end.finish(throwing: ConformanceFailure(promise: promise, detail: detail, cause: error))
      }
    }
    let timer = Task {
      try await Task.sleep(for: patience)
      end.finish(throwing: ConformanceFailure(promise: promise, detail: "Still waiting after \(patience)."))
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    for try await _ in outcome {}
    try Task.checkCancellation()
  }
}
