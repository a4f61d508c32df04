// SPDX-License-Identifier: Apache-2.0

package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A running program of this package.
package final class ChildProcess: Sendable {
  /// What it says, line by line, up to its end.
  package let lines: AsyncStream<String>
  private let process = Process()
  private let exits: AsyncStream<Void>

  /// Starts `TestProcess`.
  package convenience init(_ arguments: String...) throws {
    try self.init(program: "TestProcess", arguments)
  }

  /// Starts a program of this package.
  ///
  /// What it says on standard error counts as said too if `mergesErrors`.
  package convenience init(
    program: String, _ arguments: [String], environment: [String: String]? = nil, mergesErrors: Bool = false
  ) throws {
    try self.init(
      executable: try BuiltProgram.find(program), arguments, environment: environment, mergesErrors: mergesErrors)
  }

  /// Starts a program.
  ///
  /// What it says on standard error counts as said too if `mergesErrors`.
  package init(
    executable: URL, _ arguments: [String], environment: [String: String]? = nil, mergesErrors: Bool = false
  ) throws {
    let (lines, line) = AsyncStream<String>.makeStream()
    let (exits, exit) = AsyncStream<Void>.makeStream()
    self.lines = lines
    self.exits = exits
    let output = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    if let environment { process.environment = environment.merging(Sanitizer.options) { $1 } }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    if mergesErrors { process.standardError = output }
    process.terminationHandler = { _ in exit.finish() }
    try process.run()
    // A thread of its own: reading blocks.
    let file = output.fileHandleForReading
    Thread.detachNewThread {
      var rest = Data()
      while case let data = file.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      if !rest.isEmpty { line.yield(String(decoding: rest, as: UTF8.self)) }
      line.finish()
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status.
  package func exitStatus() async -> Int32 {
    for await _ in exits {}
    return process.terminationStatus
  }

  /// Interrupts it, as Ctrl-C does.
  package func interrupt() { process.interrupt() }

  /// Ends it, without any chance to tidy up, and waits until it is gone.
  package func kill() async {
    // The process is ours and not waited for yet, so the number is still its own.
    signal(process.processIdentifier, SIGKILL)
    for await _ in exits {}
  }
}

// Under a name that the method above does not hide.
private func signal(_ process: pid_t, _ number: Int32) {
  _ = kill(process, number)
}
