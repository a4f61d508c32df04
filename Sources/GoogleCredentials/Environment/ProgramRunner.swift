// SPDX-License-Identifier: Apache-2.0

/// A runner for the program of an executable-sourced credential.
///
/// On macOS and Linux, use ``SystemPrograms``. A test double needs one method:
///
/// ```swift
/// struct FixedOutput: ProgramRunner {
///   let output: String
///   func run(
///     _ program: String, _ arguments: [String], environment: [String: String]
///   ) async throws -> ProgramOutcome { ProgramOutcome(status: 0, output: Array(output.utf8)) }
/// }
/// ```
public protocol ProgramRunner: Sendable {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - program: The program, by its path or its name in `PATH`.
  ///   - arguments: Its arguments.
  ///   - environment: Its environment variables.
  /// - Returns: The program's exit status and its standard output.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable`` if it cannot
  ///   be started, or `CancellationError` if the current task is cancelled, after the program has ended.
  func run(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) async throws -> ProgramOutcome
}

/// The outcome of a program.
public struct ProgramOutcome: Sendable, Hashable {
  /// The program's exit status, or 128 plus the number of the terminating signal.
  public let status: Int
  /// The bytes of the program's standard output.
  public let output: [UInt8]

  /// Creates an outcome.
  public init(status: Int, output: [UInt8]) {
    self.status = status
    self.output = output
  }
}

extension ProgramOutcome: CustomStringConvertible, CustomReflectable {
  /// A description with the status and the size of the output.
  ///
  /// The output itself contains a token and is never shown.
  public var description: String { "status \(status), \(output.count) bytes" }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["status": status, "outputSize": output.count]) }
}

#if os(macOS) || os(Linux)
  import Support

  /// A runner of programs as processes, each in its own process group and without input.
  ///
  /// Running a program suspends only the current task and blocks no thread of the concurrency pool. If the task is
  /// cancelled, the runner kills the program and its child processes, and waits until the program has ended.
  public struct SystemPrograms: ProgramRunner {
    /// Creates a runner.
    public init() {}

    /// Runs a program to its end.
    ///
    /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable`` if it
    ///   cannot be started, or writes more than 1 MiB. Also `CancellationError`.
    public func run(
      _ program: String, _ arguments: [String], environment: [String: String]
    ) async throws -> ProgramOutcome {
      let result = try await BlockingWork.runCancellable {
        try ProgramRun.run(program, arguments, environment: environment, upTo: 1 << 20, isCancelled: $0)
      }
      switch result {
      case .ended(let status, let output): return ProgramOutcome(status: status, output: output)
      case .notStarted:
        throw GoogleCredentialError(
          .subjectTokenUnavailable,
          "The credential's program \(program.printable) cannot be started. Check its path and permissions.")
      case .tooMuchOutput:
        throw GoogleCredentialError(
          .subjectTokenUnavailable,
          "The credential's program \(program.printable) printed more than 1 MiB, and was ended.")
      }
    }
  }
#endif
