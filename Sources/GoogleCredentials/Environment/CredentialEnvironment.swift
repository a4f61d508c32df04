// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Support
public import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What credentials are found in and obtained with: variables, files, transport and clock, each of which a test replaces.
///
/// ```swift
/// let environment = CredentialEnvironment(transport: http)      // this process's own variables and files
/// ```
public struct CredentialEnvironment: Sendable {
  /// The environment variables.
  public var variables: [String: String]
  /// The files.
  public var files: any CredentialFiles
  /// What runs the program of an executable-sourced credential; `nil` where programs cannot be run.
  ///
  /// It is asked only if `GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES` is `1`. At first it runs processes of this machine, on macOS
  /// and Linux.
  public var programs: (any ProgramRunner)?
  /// The transport that requests to Google and to the metadata server go through.
  public var transport: any Transport
  /// The clock that expiry and time limits are judged by.
  public var clock: any WallClock

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - transport: The transport that requests go through. Token requests may be sent again by one that retries.
  ///   - clock: The clock. Defaults to the system's.
  ///   - variables: The environment variables; `nil` for those of this process.
  ///   - files: The files. Defaults to those of this machine.
  public init(
    transport: some Transport, clock: some WallClock = SystemClock(),
    variables: [String: String]? = nil, files: some CredentialFiles = SystemFiles()
  ) {
    self.variables = variables ?? ProcessInfo.processInfo.environment
    self.files = files
    self.transport = transport
    self.clock = clock
    #if os(macOS) || os(Linux)
      programs = SystemPrograms()
    #endif
  }

  /// A variable that is set and not empty.
  subscript(variable: String) -> String? { variables[variable].flatMap { $0.isEmpty ? nil : $0 } }
}

extension CredentialEnvironment: CustomStringConvertible, CustomReflectable {
  /// The number of variables; never their values.
  public var description: String { "environment of \(variables.count) variables" }

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["variables": variables.keys.sorted()]) }
}

/// Reads the files of credentials: the seam between this module and the disk.
///
/// Take ``SystemFiles`` in a program. A double for a test needs one method:
///
/// ```swift
/// struct FixedFiles: CredentialFiles {
///   let contents: [String: String]
///   func content(of path: String) async throws -> [UInt8]? { contents[path].map { Array($0.utf8) } }
/// }
/// ```
public protocol CredentialFiles: Sendable {
  /// Reads a file.
  ///
  /// - Parameter path: The file's path.
  /// - Returns: Its content; `nil` if there is no such file.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unreadable`` if it is there and cannot be read;
  ///   `CancellationError`.
  func content(of path: String) async throws -> [UInt8]?
}

/// The files of this machine, up to 1 MiB each.
///
/// While a file is read, which may be a pipe, the task waits and no thread of the concurrency pool does.
public struct SystemFiles: CredentialFiles {
  private static let sizeLimit = 1 << 20

  /// Creates a reader.
  public init() {}

  /// Reads a file.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unreadable``; `CancellationError`, promptly, when
  ///   the current task is cancelled.
  public func content(of path: String) async throws -> [UInt8]? {
    let content = try await BlockingWork.runCancellable {
      try BlockingRead.content(of: path, upTo: Self.sizeLimit + 1, isCancelled: $0)
    }
    guard let content else {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      throw GoogleCredentialError(
        .unreadable,
        "The file \(path.printable) cannot be read. Check that it is a file, and that the program's user may read it.",
        file: path)
    }
    guard content.count <= Self.sizeLimit else {
      throw GoogleCredentialError(
        .unreadable, "The file \(path.printable) is larger than 1 MiB, and so no file of credentials.", file: path)
    }
    return content
  }
}
