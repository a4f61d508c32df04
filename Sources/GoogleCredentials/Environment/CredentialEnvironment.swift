// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import PlatformFoundation
import Support
public import Timekeeping

/// The environment of credentials: variables, files, transport and clock, each of which a test can replace.
///
/// ```swift
/// let environment = CredentialEnvironment(transport: http)      // this process's own variables and files
/// ```
public struct CredentialEnvironment: Sendable {
  /// The environment variables.
  public var variables: [String: String]
  /// The files.
  public var files: any CredentialFiles
  /// The runner for programs of executable-sourced credentials, or `nil` if programs cannot be run.
  ///
  /// The runner is used only if `GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES` is `1`. On macOS and Linux, defaults to processes of
  /// this machine.
  public var programs: (any ProgramRunner)?
  /// The transport for requests to Google and to the metadata server.
  public var transport: any Transport
  /// A closure that creates a transport with a client certificate, for X.509 workloads, or `nil` if there is none.
  ///
  /// The closure is called for each exchange, with the current certificate:
  ///
  /// ```swift
  /// var environment = CredentialEnvironment(transport: http)
  /// environment.mutualTLS = { workload in
  ///   let certificate = TLSOptions.ClientCertificate(
  ///     certificate: .bytes(workload.certificate), key: .bytes(Array(workload.key.reveal().utf8)))
  ///   return CurlTransport(tls: TLSOptions(clientCertificate: certificate))
  /// }
  /// ```
  public var mutualTLS: (@Sendable (WorkloadCertificate) throws -> any Transport)?
  /// The clock for expiry and time limits.
  public var clock: any WallClock

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - transport: The transport for requests. A retrying transport may send token requests again.
  ///   - clock: The clock. Defaults to the system's.
  ///   - variables: The environment variables, or `nil` for those of this process.
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

  /// The path of gcloud's folder, or `nil` if there is no home folder.
  var gcloudFolder: String? {
    #if os(Windows)
      self["CLOUDSDK_CONFIG"] ?? self["APPDATA"].map { $0 + "/gcloud" }
    #else
      self["CLOUDSDK_CONFIG"] ?? self["HOME"].map { $0 + "/.config/gcloud" }
    #endif
  }

  /// The value of a variable, if it is set and not empty.
  subscript(variable: String) -> String? { variables[variable].flatMap { $0.isEmpty ? nil : $0 } }
}

extension CredentialEnvironment: CustomStringConvertible, CustomReflectable {
  /// A description with the number of variables, without their values.
  public var description: String { "environment of \(variables.count) variables" }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["variables": variables.keys.sorted()]) }
}

/// A reader of credential files, which separates this module from the disk.
///
/// Use ``SystemFiles`` in a program. A test double needs one method:
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
  /// - Returns: Its content, or `nil` if the file does not exist.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unreadable`` if the file exists and
  ///   cannot be read, or `CancellationError`.
  func content(of path: String) async throws -> [UInt8]?
}

/// The files of this machine, up to 1 MiB each.
///
/// Reading a file suspends only the current task and blocks no thread of the concurrency pool, even if the file is a pipe.
public struct SystemFiles: CredentialFiles {
  private static let sizeLimit = 1 << 20

  /// Creates a reader.
  public init() {}

  /// Reads a file.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unreadable``. Also `CancellationError`,
  ///   promptly, if the current task is cancelled.
  @concurrent public func content(of path: String) async throws -> [UInt8]? {
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
        .unreadable, "The file \(path.printable) is larger than 1 MiB, so it is not a credential file.", file: path)
    }
    return content
  }
}
