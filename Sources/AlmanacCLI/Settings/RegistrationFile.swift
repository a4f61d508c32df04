// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A client that the command has registered for one account, and where.
struct KeptRegistration: Codable, Sendable {
  /// The issuer of the server.
  let issuer: String
  /// The client with its secrets.
  let client: RegisteredClient
}

/// The file that keeps an account's registered client, for this user alone: it may hold a secret.
struct RegistrationFile: Sendable {
  let path: String

  /// - Throws: ``UsageError`` for an account whose name cannot be a file's.
  init(account: String, environment: [String: String]) throws {
    try SettingsFile.check(account: account)
    path = BaseDirectory.data.path(environment: environment) + "/almanac/clients/\(account).json"
  }

  /// Returns the registration, or `nil` if there is none.
  ///
  /// - Throws: ``SettingsError`` if the file is there and cannot be read.
  func read() throws -> KeptRegistration? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path),
      let kept = try? JSONDecoder().decode(KeptRegistration.self, from: data)
    else {
      throw SettingsError(
        "The registered client in \(path) cannot be read. Remove the file, then sign in again.")
    }
    return kept
  }

  /// Replaces the registration in one step.
  ///
  /// - Throws: ``SettingsError``.
  func write(_ kept: KeptRegistration) throws {
    let files = FileManager.default
    do {
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      try files.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      // No other user may read the folder, so that the file is private from its first byte.
      try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      try JSONEncoder.readable.encode(kept).write(to: URL(filePath: path), options: .atomic)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw SettingsError(
        "The registered client cannot be written to \(path). Check the folder's permissions.")
    }
  }

  /// Removes the registration, if there is one.
  ///
  /// - Throws: ``SettingsError``.
  func remove() throws { try SettingsFile.remove(path) }
}
