// SPDX-License-Identifier: Apache-2.0

import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a sign-in leaves for the commands after it: which server and client.
///
/// There is no secret in it.
struct Settings: Codable, Sendable, Equatable {
  /// The server.
  var server: ServerChoice
  /// The client identifier.
  var clientID: String
  /// The file that holds the client secret, if it is kept in one.
  var clientSecretFile: String?
  /// The scopes that were requested.
  var scopes: [String]
  /// The port of the redirect URI, if the server knows it by its port.
  var redirectPort: Int?
  /// The method of client authentication that the user named; `nil` for one that the server lists.
  var clientAuthentication: String?
  /// The file that holds the client's private key.
  var clientKeyFile: String?
  /// The identifier of that key.
  var clientKeyID: String?
  /// The file that holds the client's certificate.
  var clientCertificateFile: String?
}

/// The settings file of one account.
struct SettingsFile: Sendable {
  let path: String

  /// - Throws: ``UsageError`` for an account whose name cannot be a file's.
  init(account: String, environment: [String: String]) throws {
    try Self.check(account: account)
    path = BaseDirectory.configuration.path(environment: environment) + "/almanac/\(account).json"
  }

  /// Checks that an account's name can be a file's.
  ///
  /// - Throws: ``UsageError``.
  static func check(account: String) throws {
    guard !account.isEmpty, account.utf8.count < 200, !account.hasPrefix("."),
      account.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") })
    else {
      throw UsageError(
        "An account's name is 1 to 199 bytes without spaces and slashes, and does not begin with a dot.")
    }
  }

  /// Returns the settings, or `nil` if there are none.
  ///
  /// - Throws: ``SettingsError`` if the file is there and cannot be read.
  func read() throws -> Settings? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path),
      let settings = try? JSONDecoder().decode(Settings.self, from: data)
    else {
      throw SettingsError("The settings in \(path) cannot be read. Correct or remove the file, then sign in again.")
    }
    return settings
  }

  /// Removes the settings, if there are any.
  ///
  /// - Throws: ``SettingsError``.
  func remove() throws { try Self.remove(path) }

  static func remove(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw SettingsError("The file \(path) cannot be removed. Check the folder's permissions.")
    }
  }

  /// Replaces the settings in one step.
  ///
  /// - Throws: ``SettingsError``.
  func write(_ settings: Settings) throws {
    do {
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try JSONEncoder.readable.encode(settings).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw SettingsError("The settings cannot be written to \(path). Check the folder's permissions.")
    }
  }
}

/// Why the settings could not be read or written.
struct SettingsError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
