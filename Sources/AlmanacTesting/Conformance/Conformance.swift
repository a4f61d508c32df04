// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  /// - Parameter patience: The time that a check may take for one step. It is counted in tenths, and a tenth is as long as a
  ///   task takes that sleeps for it, so that a busy machine prolongs it.
  /// - Throws: ``ConformanceFailure`` if `check` throws, makes no progress for `patience`, or takes ten times as long in all; `CancellationError`.
  static func run(
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
      // One that takes steps for ever ends too.
      while idle < 10, all < 100 {
        all += 1
        try await Task.sleep(for: patience / 10)
        let count = progress.count
        idle = count == last ? idle + 1 : 0
        last = count
      }
      let detail =
        idle < 10
        ? "Not over after \(patience * 10), although it makes progress. It waits for \(progress.waits)."
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

/// A promise that an implementation of one of the package's protocols does not keep.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let promise: String
  /// How it was broken; never a token.
  public let detail: String
  /// What the implementation threw, if that was the fault.
  public let cause: (any Error)?

  /// Creates a failure.
  public init(promise: String, detail: String, cause: (any Error)? = nil) {
    self.promise = promise
    self.detail = detail
    self.cause = cause
  }

  /// The promise, the detail and the cause.
  ///
  /// The tokens of the kits are made up, so that a cause has none to show.
  public var description: String {
    "Broken promise: \(promise) \(detail)" + (cause.map { " Cause: \($0)" } ?? "")
  }
}

extension ConformanceFailure: LocalizedError {
  /// What is wrong and where: the description.
  public var errorDescription: String? { description }
}
