// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A running program of this package.
package final class ChildProcess: Sendable {
  /// The lines of its output, up to its end.
  package let lines: AsyncStream<String>
  private let process = Process()
  /// The exit status, which is awaited to the end of the process even if a caller is cancelled.
  private let end: Task<Int32, Never>
  private let hasEnded = Atomic(false)

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
    let (exits, exit) = AsyncStream<Int32>.makeStream()
    self.lines = lines
    end = Task { await exits.first { _ in true } ?? -1 }
    let output = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ChildEnvironment.make(environment)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    if mergesErrors { process.standardError = output }
    process.terminationHandler = { [weak self] process in
      self?.hasEnded.store(true, ordering: .releasing)
      exit.yield(process.terminationStatus)
    }
    do {
      try process.run()
    } catch {
      exit.finish()
      throw error
    }
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
  /// If the task is cancelled, the process is killed, so that the wait ends soon.
  ///
  /// - Returns: Its exit status, or the number of the signal that ended it.
  package func exitStatus() async -> Int32 {
    await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      killNow()
    }
  }

  /// Interrupts it, as Ctrl-C does.
  package func interrupt() { process.interrupt() }

  /// Ends it, without any chance to tidy up, and waits until it is gone.
  package func kill() async {
    killNow()
    _ = await end.value
  }

  private func killNow() {
    // The number of a process that has ended may be another one's.
    if !hasEnded.load(ordering: .acquiring) { signal(process.processIdentifier, SIGKILL) }
  }
}

// Under a name that the method above does not hide.
private func signal(_ process: pid_t, _ number: Int32) {
  _ = kill(process, number)
}
