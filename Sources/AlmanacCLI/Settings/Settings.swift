// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import Support
import TokenStore

/// The settings stored at a sign-in for later commands: the server, the client and the scopes.
///
/// They contain no secret.
struct Settings: Codable, Sendable, Equatable {
  /// The server.
  var server: ServerChoice
  /// The client identifier.
  var clientID: String
  /// The path of the file with the client secret, if there is one.
  var clientSecretFile: String?
  /// The requested scopes.
  var scopes: [Scope]
  /// The port of the redirect URI, if it is registered at the server.
  var redirectPort: Int?
  /// The method of client authentication named by the user, or `nil` to choose from the server's list.
  var clientAuthentication: String?
  /// The path of the file with the client's private key.
  var clientKeyFile: String?
  /// The identifier of the key.
  var clientKeyID: String?
  /// The path of the file with the client's certificate.
  var clientCertificateFile: String?
}

/// The settings file of one account.
struct SettingsFile: Sendable {
  let path: String
  private let files: any CommandFiles

  /// Creates the value for an account.
  ///
  /// The file has the name of the account's record. Accounts whose names differ in case or Unicode spelling therefore have
  /// separate settings.
  ///
  /// - Parameter account: The account, or `nil` for the command's.
  /// - Throws: ``UsageError`` if the account's name is not allowed.
  init(_ context: Context, account: String? = nil) throws {
    let account = account ?? context.account
    try Self.check(account: account)
    let name = try AccountFileName(account).encoded
    path = BaseDirectory.configuration.path(environment: context.environment) + "/almanac/\(name).json"
    files = context.services.files
  }

  /// Checks that an account's name is allowed.
  ///
  /// - Throws: ``UsageError``.
  static func check(account: String) throws {
    guard !account.isEmpty, account.utf8.count < 200, !account.hasPrefix("."),
      account.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") })
    else {
      throw UsageError(
        "An account's name must be 1 to 199 bytes, without spaces, slashes or a dot at its start.")
    }
  }

  /// Returns the settings, or `nil` if there are none.
  ///
  /// - Throws: ``SettingsError`` if the file exists and cannot be read.
  func read() throws -> Settings? {
    do {
      return try files.content(of: path).map { try JSONDecoder().decode(Settings.self, from: $0) }
    } catch {
      throw SettingsError("The settings in \(path) cannot be read. Correct or remove the file, then sign in again.")
    }
  }

  /// Removes the settings if there are any.
  ///
  /// - Throws: ``SettingsError``.
  func remove() throws { try Self.remove(path, files) }

  static func remove(_ path: String, _ files: any CommandFiles) throws {
    do {
      try files.replace(path, with: nil)
    } catch {
      throw SettingsError(error, "remove", path)
    }
  }

  /// Reserves space for the settings, before a client is registered and a page is shown.
  ///
  /// - Throws: ``SettingsError``.
  func reserve() throws { try change { try files.reserve(path) } }

  /// Replaces the settings atomically.
  ///
  /// - Throws: ``SettingsError``.
  func write(_ settings: Settings) throws {
    try change { try files.replace(path, with: JSONEncoder.readable.encode(settings)) }
  }

  private func change(_ body: () throws -> Void) throws {
    do { try body() } catch { throw SettingsError(error, "write the settings to", path) }
  }
}

/// An error in reading or writing the settings.
struct SettingsError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The error of a failed attempt to `action` the file at `path`.
  init(_ error: any Error, _ action: String, _ path: String) {
    let failure = (error as? FileAccessError).map { TokenStorageError.system($0.number, action, path).message }
    description = failure ?? "Could not \(action) \(path). Check the folder's permissions."
  }
}
