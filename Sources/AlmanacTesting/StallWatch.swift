// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells, in real time, that a test waits for a clock that it does not move.
package struct StallWatch: Sendable {
  private let patience: Duration
  private let report: @Sendable (String) -> Void

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - patience: The real time after which a sleeping task is told of.
  ///   - report: Takes the text. Defaults to standard error.
  package init(
    patience: Duration = .seconds(10), report: @escaping @Sendable (String) -> Void = Self.writeToStandardError
  ) {
    self.patience = patience
    self.report = report
  }

  /// Starts to watch a sleeping task.
  ///
  /// - Parameter stall: Returns what is told after the time; `nil` for nothing.
  func start(_ stall: @escaping @Sendable () -> String?) -> Task<Void, Never> {
    Task { [patience, report] in
      // In tenths: a busy machine, on which the task that moves the clock has to wait, delays each of them.
      for _ in 1...10 { guard (try? await Task.sleep(for: patience / 10)) != nil else { return } }
      if let text = stall() { report(text) }
    }
  }

  package static func writeToStandardError(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in _ = unsafe write(2, bytes.baseAddress, bytes.count) }
  }
}
