// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
package import Testing

/// PgBouncer in transaction mode, in front of a cluster.
package final class TransactionPooler: Sendable {
  /// Runs a test only if PgBouncer is installed.
  package static var isInstalled: ConditionTrait {
    .enabled("PgBouncer is not installed, so this was not tested. On Debian: apt-get install pgbouncer") {
      Self.program != nil && TemporaryCluster.programs != nil
    }
  }

  private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let process: ChildProcess
  private let folder: String

  /// Starts the pooler, with two connections to each database, and waits until it accepts connections.
  package init(for cluster: TemporaryCluster) async throws {
    guard let program = Self.program else { throw ClusterError("PgBouncer is not installed.") }
    folder = "\(cluster.folder)/pooler"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // The pooler runs as another user.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    try """
    [databases]
    * = host=\(cluster.folder) user=test
    [pgbouncer]
    pool_mode = transaction
    default_pool_size = 2
    auth_type = any
    listen_addr =
    unix_socket_dir = \(folder)
    """.write(toFile: "\(folder)/pgbouncer.ini", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(folder)/pgbouncer.ini")
    let command = TemporaryCluster.asServer + [program, "\(folder)/pgbouncer.ini"]
    process = try ChildProcess(executable: URL(filePath: command[0]), Array(command.dropFirst()), mergesErrors: true)
    for await line in process.lines where line.contains("process up") { return }
    throw ClusterError("PgBouncer did not start.")
  }

  /// Returns the connection string of a database through the pooler.
  package func connectionString(_ database: String) -> String {
    "host=\(folder) port=6432 user=test dbname=\(database)"
  }

  /// Ends the pooler.
  package func stop() async { await process.kill() }
}
