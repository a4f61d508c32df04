// SPDX-License-Identifier: Apache-2.0

/// The three standard streams and what is known of them: the seam between the command and a terminal.
package protocol Console: Sendable {
  /// Whether standard output is a terminal.
  var showsOutput: Bool { get }
  /// Whether standard error is a terminal.
  var isInteractive: Bool { get }
  /// Whether a question can be asked: the user sees it and types the response.
  var canAsk: Bool { get }
  /// The width of the terminal in columns.
  var width: Int { get }
  /// Why standard output is lost; `nil` while it is not.
  var fault: OutputFault? { get }

  /// Writes bytes to standard output; nothing after a fault.
  func write(_ bytes: [UInt8])

  /// Writes bytes to standard error.
  func tell(_ bytes: [UInt8])

  /// Reads a line of standard input, without its end; `nil` where it ends.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func readLine() async throws -> String?

  /// Reads the rest of standard input; `nil` if it cannot be read.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func readAll() async throws -> [UInt8]?
}

/// Why standard output is lost.
package enum OutputFault: Sendable {
  /// The reading end is closed, as after `head`.
  case closed
  case failed
}
