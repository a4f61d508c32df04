// SPDX-License-Identifier: Apache-2.0

import Support

/// A watch that reports, in real time, a test that waits for a clock without advancing it.
package struct StallWatch: Sendable {
  private let patience: Duration
  private let report: @Sendable (String) -> Void

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - patience: The real time after which a sleeping task is reported.
  ///   - report: Receives the report. Defaults to standard error.
  package init(
    patience: Duration = .seconds(10), report: @escaping @Sendable (String) -> Void = Self.writeToStandardError
  ) {
    self.patience = patience
    self.report = report
  }

  /// Starts to watch a sleeping task.
  ///
  /// - Parameter stall: Returns the report after the time has passed, or `nil` for none.
  func start(_ stall: @escaping @Sendable () -> String?) -> Task<Void, Never> {
    Task { [patience, report] in
      // In tenths: a busy machine, which delays the task that advances the clock, delays each of them, too.
      for _ in 1...10 { guard (try? await Task.sleep(for: patience / 10)) != nil else { return } }
      if let text = stall() { report(text) }
    }
  }

  package static func writeToStandardError(_ text: String) { _ = writeAll(Array("\(text)\n".utf8), to: 2) }
}
