// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A running program, which inherits no descriptor of this process except its standard streams.
///
/// Foundation's `Process` is not used: it has crashed in a test process with more than 1,300 descriptors.
package final class ChildProcess: Sendable {
  private struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  /// The lines of its output, up to its end.
  package let lines: AsyncStream<String>
  private let process: pid_t
  /// The exit status, which is awaited to the end of the process even if a caller is cancelled.
  private let end: Task<Int32, Never>
  private let hasEnded: HasEnded

  private final class HasEnded: Sendable { let value = Mutex(false) }

  /// Starts `TestProcess`.
  package convenience init(_ arguments: String...) throws {
    try self.init(program: "TestProcess", arguments)
  }

  /// Starts a program of this package.
  ///
  /// Its errors are part of its output if `mergesErrors`.
  package convenience init(
    program: String, _ arguments: [String], environment: [String: String]? = nil, mergesErrors: Bool = false
  ) throws {
    try self.init(
      executable: try BuiltProgram.find(program), arguments, environment: environment, mergesErrors: mergesErrors)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - input: The descriptor for its input; `nil` for /dev/null.
  ///   - terminal: The descriptor for its output and its errors; `nil` for ``lines``.
  ///   - mergesErrors: Whether its errors are part of its output. Otherwise, they are those of this process.
  package init(
    executable: URL, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil,
    terminal: Int32? = nil, mergesErrors: Bool = false
  ) throws {
    let (lines, line) = AsyncStream<String>.makeStream()
    self.lines = lines
    guard let ends = Support.Pipe() else { throw NotStarted(description: "The process has no descriptors left.") }
    let output = terminal ?? ends.writeEnd.number
    let path = executable.path(percentEncoded: false)
    guard
      let process = ProgramStart.start(
        path, arguments, environment: ChildEnvironment.make(environment), input: input, output: output,
        errors: terminal != nil || mergesErrors ? output : 2)
    else { throw NotStarted(description: "\(path) was not started.") }
    self.process = process
    let hasEnded = HasEnded()
    self.hasEnded = hasEnded
    end = Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          // Its number is not given to another process before this wait.
          var information = unsafe siginfo_t()
          while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
          hasEnded.value.withLock { $0 = true }
          continuation.resume(returning: Int32(ProgramStart.wait(for: process)))
        }
      }
    }
    let reading = dup(ends.readEnd.number)
    // A thread of its own: reading blocks.
    Thread.detachNewThread {
      let file = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
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
  /// - Returns: Its exit status, or 128 plus the number of the signal that ended it.
  package func exitStatus() async -> Int32 {
    await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      signal(SIGKILL)
    }
  }

  /// Interrupts it, as Ctrl-C does.
  package func interrupt() { signal(SIGINT) }

  /// Ends it, without any chance to tidy up, and waits until it is gone.
  package func kill() async {
    signal(SIGKILL)
    _ = await end.value
  }

  private func signal(_ number: Int32) {
    // The number of a process that has ended may be another one's.
    hasEnded.value.withLock { if !$0 { send(number, to: process) } }
  }
}

// Under a name that the method above does not hide.
private func send(_ signal: Int32, to process: pid_t) { _ = kill(process, signal) }
