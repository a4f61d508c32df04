// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Synchronization

/// A console with scripted user input, which records all output.
final class ScriptedConsole: Console {
  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
  }

  let showsOutput: Bool
  let isInteractive = false
  let canAsk: Bool
  let width: Int
  var errorWidth: Int? { showsOutput ? width : nil }
  let fault: OutputFault? = nil
  private let state = Mutex(State())
  private let user: @Sendable (_ errors: String) async throws -> String?

  /// - Parameters:
  ///   - canAsk: Whether there is a terminal for questions.
  ///   - showsOutput: Whether standard output is a terminal.
  ///   - width: The number of columns of the terminal.
  ///   - user: Returns the next line of input for the text on standard error, or `nil` to end standard input.
  init(
    canAsk: Bool = false, showsOutput: Bool = false, width: Int = 100,
    user: @escaping @Sendable (_ errors: String) async throws -> String? = { _ in nil }
  ) {
    (self.canAsk, self.showsOutput, self.width, self.user) = (canAsk, showsOutput, width, user)
  }

  var output: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
  var errors: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  func write(_ bytes: [UInt8]) { state.withLock { $0.output += bytes } }
  func tell(_ bytes: [UInt8]) { state.withLock { $0.errors += bytes } }
  func readLine() async throws -> String? { try await user(errors) }
  func readAll() async throws -> [UInt8]? {
    try await user(errors).map { Array($0.utf8) }
  }
}
