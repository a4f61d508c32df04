// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Synchronization
import TestSupport
package import Testing

/// A PostgreSQL cluster in a temporary folder, whose server listens on a UNIX socket in that folder.
///
/// Its data are durable, as in production. The server is stopped and the folder removed when the process ends, however it ends.
package final class TemporaryCluster: Sendable {
  /// Runs a test only if a PostgreSQL server is installed.
  package static var isInstalled: ConditionTrait {
    .enabled("No PostgreSQL server is installed, so this was not tested. On Debian: apt-get install postgresql") {
      Self.programs != nil
    }
  }

  /// The folder of the server's programs, of the newest version; `nil` if none is installed.
  package static let programs: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
    let debian = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []).sorted {
      $0.compare($1, options: .numeric) == .orderedDescending
    }
    return (versions.map { "\(debian)/\($0)/bin" } + folders).first {
      FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
    }
  }()

  private static let common = Mutex<Task<TemporaryCluster, any Error>?>(nil)
  private static let lastNumber = Atomic(0)

  /// The cluster that most tests of the process share, each with its own database.
  package static var shared: TemporaryCluster {
    get async throws {
      try await common.withLock { task in
        if let task { return task }
        let new = Task { try await TemporaryCluster() }
        task = new
        return new
      }.value
    }
  }

  /// The folder of the data, the socket and the log.
  package let folder: String
  private let programs: String
  private let settings: [String]
  /// Its end is noticed by the program that then stops the server.
  private let lifeline: Support.Pipe

  /// Creates and starts a cluster.
  ///
  /// - Parameters:
  ///   - settings: Settings of the server, each as `name=value`.
  ///   - accessRules: The lines of `pg_hba.conf`. Defaults to access for every local user.
  ///   - files: The files that the server needs, such as its key, by their names in ``folder``.
  ///   - primary: The cluster that this one copies and follows as its standby. Defaults to none.
  package init(
    settings: [String] = [], files: [String: String] = [:],
    accessRules: [String] = ["local all all trust", "local replication all trust"],
    following primary: TemporaryCluster? = nil
  ) async throws {
    guard let programs = Self.programs else { throw ClusterError("No PostgreSQL server is installed.") }
    self.programs = programs
    self.settings = settings
    // Short: the path of a socket has at most 107 bytes.
    folder =
      "/tmp/almanac-\(ProcessInfo.processInfo.processIdentifier)-\(Self.lastNumber.add(1, ordering: .relaxed).newValue)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    guard let lifeline = Support.Pipe() else { throw ClusterError("The process has no descriptors left.") }
    self.lifeline = lifeline
    if getuid() == 0 { try await Self.run("/usr/bin/chown", "postgres", folder) }
    let janitor = "cat >/dev/null; \(programs)/pg_ctl -D \(folder)/data -m immediate stop; rm -rf \(folder)"
    _ = try ChildProcess(
      executable: URL(filePath: "/bin/sh"),
      [
        "-c", Self.asServer.joined(separator: " ") + " /bin/sh -c '\(janitor)' >/dev/null 2>&1; rm -rf \(folder)",
      ], input: lifeline.readEnd.number)
    if let primary {
      try await run(
        "pg_basebackup", "-d", primary.connectionString("postgres"), "-D", "\(folder)/data", "-R", "-c", "fast")
    } else {
      try await run(
        "initdb", "-D", "\(folder)/data", "-U", "test", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
    }
    try (accessRules.joined(separator: "\n") + "\n").write(toFile: "\(folder)/hba", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/hba")
    for (name, text) in files {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
      if getuid() == 0 { try await Self.run("/usr/bin/chown", "postgres", "\(folder)/\(name)") }
    }
    try await start()
  }

  /// The prefix of a command that runs as a user who may start a server; root may not.
  static var asServer: [String] {
    getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
  }

  /// Starts the server, and waits until it accepts connections.
  package func start() async throws {
    let options = [
      "listen_addresses=", "port=5432", "unix_socket_directories=\(folder)", "hba_file=\(folder)/hba",
      "max_connections=100",
    ]
    let arguments = (options + settings).map { "-c '\($0)'" }.joined(separator: " ")
    try await run("pg_ctl", "-D", "\(folder)/data", "-l", "\(folder)/log", "-w", "-o", arguments, "start")
  }

  /// Makes a standby the primary, and waits until it accepts writes.
  package func promote() async throws { try await run("pg_ctl", "-D", "\(folder)/data", "-w", "promote") }

  /// Stops the server.
  ///
  /// - Parameter mode: `fast` to end the sessions, `immediate` to abort as in a crash.
  package func stop(_ mode: String = "fast") async throws {
    try await run("pg_ctl", "-D", "\(folder)/data", "-m", mode, "-w", "stop")
  }

  /// Returns the connection string of a new database.
  package func makeDatabase() async throws -> String {
    let name = "test\(Self.lastNumber.add(1, ordering: .relaxed).newValue)"
    try await sql("CREATE DATABASE \(name)", in: "postgres")
    return connectionString(name)
  }

  /// Returns the connection string of a database.
  package func connectionString(_ database: String, user: String = "test") -> String {
    "host=\(folder) user=\(user) dbname=\(database)"
  }

  /// Runs SQL with psql.
  ///
  /// - Returns: The lines of its output.
  @discardableResult
  package func sql(_ text: String, in database: String) async throws -> [String] {
    let psql = FileManager.default.isExecutableFile(atPath: "\(programs)/psql") ? "\(programs)/psql" : "/usr/bin/psql"
    let process = try ChildProcess(
      executable: URL(filePath: psql),
      ["-h", folder, "-U", "test", "-d", database, "-v", "ON_ERROR_STOP=1", "-XAtqc", text], mergesErrors: true)
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    guard await process.exitStatus() == 0 else { throw ClusterError(lines.joined(separator: "\n")) }
    return lines
  }

  private func run(_ program: String, _ arguments: String...) async throws {
    let command = Self.asServer + ["\(programs)/\(program)"] + arguments
    // The server would keep an inherited pipe open.
    let script = """
      umask 077; touch \(folder)/output; chmod 666 \(folder)/output
      exec "$@" >>\(folder)/output 2>&1 </dev/null
      """
    try await Self.run("/bin/bash", ["-c", script, "bash"] + command)
  }

  private static func run(_ program: String, _ arguments: String...) async throws { try await run(program, arguments) }

  private static func run(_ program: String, _ arguments: [String]) async throws {
    let process = try ChildProcess(executable: URL(filePath: program), arguments, mergesErrors: true)
    let status = await process.exitStatus()
    guard status == 0 else {
      throw ClusterError(
        "\(arguments.last ?? "") of \(program) ended with \(status): \(arguments.joined(separator: " "))")
    }
  }
}

/// An error of a program of PostgreSQL that a test has started.
package struct ClusterError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
