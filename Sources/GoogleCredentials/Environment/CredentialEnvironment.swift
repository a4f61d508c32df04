// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
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
