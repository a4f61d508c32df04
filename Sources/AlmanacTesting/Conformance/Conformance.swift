// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// The common code of the conformance kits.
package enum Conformance {
  /// A broken promise, with the detail of its violation.
  package struct Broken: Error {
    package let detail: String

    package init(detail: String) { self.detail = detail }
  }

  package static func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    guard condition else { throw Broken(detail: detail()) }
  }

  /// Runs a check in its own task, so an implementation that never returns cannot block the kit.
  ///
  /// - Parameter patience: The time limit for one step of a check. It is measured as ten sleeps of a tenth each, so a
  ///   busy machine extends it.
  /// - Throws: ``ConformanceFailure`` if `check` throws, makes no progress for `patience`, or takes ten times as long
  ///   in total. Also `CancellationError`.
  package static func run(
    _ promise: String, patience: Duration, _ check: @escaping @Sendable () async throws -> Void
  ) async throws {
    let (outcome, end) = AsyncThrowingStream<Never, any Error>.makeStream()
    let progress = Progress()
    let work = Task {
      do {
        try await Progress.$current.withValue(progress) { try await check() }
        end.finish()
      } catch let broken as Broken {
        end.finish(throwing: ConformanceFailure(promise: promise, detail: broken.detail))
      } catch {
        let detail = "An unexpected \(type(of: error)) was thrown."
        end.finish(throwing: ConformanceFailure(promise: promise, detail: detail, cause: error))
      }
    }
    let timer = Task {
      var (last, idle, all) = (0, 0, 0)
      // A check that makes progress indefinitely ends, too.
      while idle < 10, all < 100 {
        all += 1
        try await Task.sleep(for: patience / 10)
        let count = progress.count
        idle = count == last ? idle + 1 : 0
        last = count
      }
      let detail =
        idle < 10
        ? "Not finished after \(patience * 10), although it makes progress. Waiting for \(progress.waits)."
        : "Still waiting after \(patience) for \(progress.waits)."
      end.finish(throwing: ConformanceFailure(promise: promise, detail: detail))
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    for try await _ in outcome {}
    try Task.checkCancellation()
  }
}

/// The error for a broken promise of one of the package's protocols.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let promise: String
  /// The violation of the promise.
  ///
  /// It never contains a token.
  public let detail: String
  /// The implementation's error, if it was the violation.
  public let cause: (any Error)?

  /// Creates a failure.
  public init(promise: String, detail: String, cause: (any Error)? = nil) {
    self.promise = promise
    self.detail = detail
    self.cause = cause
  }

  /// The promise, the detail and the cause.
  ///
  /// The kits use fictitious tokens, so a cause cannot reveal real ones.
  public var description: String {
    "Broken promise: \(promise) \(detail)" + (cause.map { " Cause: \($0)" } ?? "")
  }
}

extension ConformanceFailure: LocalizedError {
  /// The localized description, equal to ``description``.
  public var errorDescription: String? { description }
}
