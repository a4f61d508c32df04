// SPDX-License-Identifier: Apache-2.0

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
