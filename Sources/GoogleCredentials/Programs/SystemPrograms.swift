// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  import Support

  /// Runs programs as processes, each in a process group of its own and without input.
  ///
  /// While one runs, the task waits and no thread of the concurrency pool does. When the task is cancelled, the program is killed
  /// with the processes that it started, and waited for.
  public struct SystemPrograms: ProgramRunner {
    /// Creates a runner.
    public init() {}

    /// Runs a program to its end.
    ///
    /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable`` if it cannot be
    ///   started, or writes more than 1 MiB; `CancellationError`.
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
