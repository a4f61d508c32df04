// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
package import TokenStore
import TokenStorePostgreSQL

#if os(Linux) && !canImport(Darwin)
  import TokenStoreSecretService
#endif

/// An open token storage of the command.
package struct CommandStorage: Sendable {
  /// The records as they are stored, possibly sealed.
  let records: any TokenStorage
  /// The location of the records for display, or `nil` if unknown.
  let place: String?
  /// Creates or updates the schema and returns its previous version, or `nil` for a storage without a schema.
  let migrateSchema: (@Sendable () async throws -> Int)?
  private let close: @Sendable () async throws -> Void

  /// - Parameter close: Writes the unwritten tokens and closes all connections.
  package init(
    _ records: any TokenStorage, at place: String? = nil, migrateSchema: (@Sendable () async throws -> Int)? = nil,
    close: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.records = records
    self.place = place
    self.migrateSchema = migrateSchema
    self.close = close
  }

  /// Runs `body`, then closes the storage, even if `body` throws or the task is cancelled.
  ///
  /// - Parameter terminal: Receives the error of the close as a notice, if `body` has thrown another one.
  /// - Throws: The error of `body`. Otherwise, `TokenStorageError` if a refreshed token could not be written.
  func use(_ terminal: Terminal, _ body: () async throws -> Void) async throws {
    let closing = { [close] in try await Task { try await close() }.value }
    do {
      try await body()
    } catch {
      do { try await closing() } catch { terminal.note("\(String(describing: error))") }
      throw error
    }
    try await closing()
  }
}

extension CommandStorage {
  /// Opens a storage of this computer.
  ///
  /// - Throws: `TokenStorageError` if the storage does not exist on this platform, or its configuration is invalid.
  static func system(_ name: StorageName) throws -> CommandStorage {
    switch name {
    case .file:
      let storage = FileTokenStorage()
      return CommandStorage(storage, at: storage.path)
    case .keyring:
      #if os(Linux) && !canImport(Darwin)
        return CommandStorage(SecretServiceTokenStorage(), at: name.rawValue)
      #else
        throw TokenStorageError(.keyringMissing, "The command uses the keyring on Linux only.")
      #endif
    case .postgresql:
      do {
        return postgreSQL(try .environment())
      } catch {
        throw TokenStorageError(.unavailable, error.message)
      }
    }
  }

  /// Opens a storage in a PostgreSQL database, which connects at the first use.
  private static func postgreSQL(_ configuration: PostgreSQLConfiguration) -> CommandStorage {
    let storage = PostgreSQLTokenStorage(PostgreSQLClient(configuration))
    return CommandStorage(storage, at: StorageName.postgresql.rawValue) {
      try await storage.migrateSchema()
    } close: {
      do {
        try await storage.close()
      } catch let error as TokenStorageError {
        throw TokenStorageError(
          error.code,
          "A refreshed token could not be stored and is lost. Sign in again when the database is available. \(error.message)"
        )
      }
    }
  }
}
