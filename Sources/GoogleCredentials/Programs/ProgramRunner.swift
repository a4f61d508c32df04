// SPDX-License-Identifier: Apache-2.0

/// Runs the program of an executable-sourced credential.
///
/// On macOS and Linux, take ``SystemPrograms``. A double for a test needs one method:
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
  /// - Returns: How it ended, and what it wrote to standard output.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable`` if it cannot be started;
  ///   `CancellationError` when the current task is cancelled, after the program was ended.
  func run(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) async throws -> ProgramOutcome
}

/// How a program ended.
public struct ProgramOutcome: Sendable, Hashable {
  /// Its exit status; 128 and the number of the signal if one ended it.
  public let status: Int
  /// What it wrote to standard output.
  public let output: [UInt8]

  /// Creates an outcome.
  public init(status: Int, output: [UInt8]) {
    self.status = status
    self.output = output
  }
}

extension ProgramOutcome: CustomStringConvertible, CustomReflectable {
  /// The status and the size of the output; never the output, which holds a token.
  public var description: String { "status \(status), \(output.count) bytes" }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["status": status, "outputSize": output.count]) }
}
