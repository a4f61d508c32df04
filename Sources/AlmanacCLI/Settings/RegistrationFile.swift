// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation
import Support
import TokenStore

/// A client that the command registered for an account, and its server.
struct KeptRegistration: Codable, Sendable {
  /// The issuer identifier of the server.
  let issuer: String
  /// The client, including its secrets.
  let client: RegisteredClient
}

/// The file with an account's registered client.
///
/// It can contain a secret, so only this user can read it.
struct RegistrationFile: Sendable {
  let path: String

  /// - Throws: ``UsageError`` if the account's name is not a valid file name.
  init(account: String, environment: [String: String]) throws {
    try SettingsFile.check(account: account)
    let name = try AccountFileName(account).encoded
    path = BaseDirectory.data.path(environment: environment) + "/almanac/clients/\(name).json"
  }

  /// Returns the registration, or `nil` if there is none.
  ///
  /// - Throws: ``SettingsError`` if the file exists and cannot be read.
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

  /// Checks that a registration can be written, before a client is registered.
  ///
  /// - Throws: ``SettingsError``.
  func checkWritable() throws {
    do { try SettingsFile.tryWriting(beside: path) } catch { throw unwritable }
  }

  private var unwritable: SettingsError {
    SettingsError("The registered client cannot be written to \(path). Check the folder's permissions.")
  }

  /// Replaces the registration atomically.
  ///
  /// - Throws: ``SettingsError``.
  func write(_ kept: KeptRegistration) throws {
    do {
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      try FilePermissions.makePrivateFolder(folder)
      // The folder is private, so the file is private before its own permissions are set.
      try FilePermissions.set(0o700, ofItemAt: folder)
      try JSONEncoder.readable.encode(kept).write(to: URL(filePath: path), options: .atomic)
      try FilePermissions.set(0o600, ofItemAt: path)
    } catch {
      throw unwritable
    }
  }

  /// Removes the registration if there is one.
  ///
  /// - Throws: ``SettingsError``.
  func remove() throws { try SettingsFile.remove(path) }
}
