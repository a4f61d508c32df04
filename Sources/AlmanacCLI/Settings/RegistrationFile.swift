// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation
import Support
import TokenStore

/// A client registered by the command for an account, with its server and resource.
struct KeptRegistration: Codable, Sendable, Equatable {
  /// The issuer identifier of the server.
  let issuer: String
  /// The identifier of the protected resource whose metadata names the server.
  let resource: String
  /// The client, including its secrets.
  let client: RegisteredClient
  /// The storages with sign-ins by this client, including unfinished ones.
  ///
  /// The client is unused if there are none.
  var storages: [StorageName]

  /// The client identifier.
  var clientID: String { client.clientID }

  /// The port of the redirect URI, or `nil` if unknown.
  var redirectPort: Int? { client.metadata.redirectURIs?.first?.port }

  /// The server and the resource as settings name them.
  var server: ServerChoice { ServerChoice(issuer: issuer, resource: resource, apiURL: resource) }

  /// Returns the name of the record of an account's tokens for this client.
  func record(of account: String) -> RecordName { RecordName(account: account, clientID: clientID) }

  /// Returns the registration without a storage, or `nil` if it then has none.
  func without(_ storage: StorageName) -> KeptRegistration? {
    var rest = self
    rest.storages.removeAll { $0 == storage }
    return rest.storages.isEmpty ? nil : rest
  }

  /// Returns whether both are the same client, in whichever storages.
  func isSame(as other: KeptRegistration) -> Bool { isClient(other.clientID, at: other.issuer) }

  /// Returns whether this is the client `clientID` of the server `issuer`.
  func isClient(_ clientID: String, at issuer: String) -> Bool {
    self.clientID == clientID && ServerMetadata.isSameIssuer(self.issuer, issuer)
  }
}

extension KeptRegistration {
  private enum CodingKeys: String, CodingKey { case issuer, resource, client, storages }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    issuer = try container.decode(String.self, forKey: .issuer)
    resource = try container.decode(String.self, forKey: .resource)
    client = try container.decode(RegisteredClient.self, forKey: .client)
    let names = try container.decodeIfPresent([String].self, forKey: .storages) ?? []
    let known = names.compactMap(StorageName.init(rawValue:))
    // Another release wrote the file if a name is unknown or none is there. The client is kept, whichever storage has its tokens.
    storages = known.isEmpty || known.count < names.count ? StorageName.allCases : known
  }
}

/// The file with the clients registered by the command for an account, in the order of their registration.
///
/// A client is added before the sign-in page is shown, and the account's settings name the current one. A successful
/// sign-in removes the tokens of the other clients from its storage, then each of these clients without another storage.
/// After an interrupted sign-in, the file therefore contains each client that can have tokens. The next sign-in uses such
/// a client, and `revoke` removes its tokens.
///
/// The file can contain secrets, so only this user can read it.
struct RegistrationFile: Sendable {
  let path: String
  private let files: any CommandFiles

  /// - Parameter account: The account, or `nil` for the command's.
  /// - Throws: ``UsageError`` if the account's name is not a valid file name.
  init(_ context: Context, account: String? = nil) throws {
    let account = account ?? context.account
    try SettingsFile.check(account: account)
    let name = try AccountFileName(account).encoded
    path = BaseDirectory.data.path(environment: context.environment) + "/almanac/clients/\(name).json"
    files = context.services.files
  }

  /// Returns the registrations, or empty if there is no file.
  ///
  /// - Throws: ``SettingsError`` if the file exists and cannot be read. `TokenStorageError` with code `insecure` if another user could
  ///   have read or replaced it.
  func read() throws -> [KeptRegistration] {
    do {
      return try files.secretContent(of: path).map { try JSONDecoder().decode([KeptRegistration].self, from: $0) } ?? []
    } catch let error as TokenStorageError where error.code == .insecure {
      throw error
    } catch {
      throw SettingsError(
        "The registered clients in \(path) cannot be read. Remove the file, then sign in again.")
    }
  }

  /// Reserves space for one more client, before it is registered.
  ///
  /// - Throws: ``SettingsError``.
  func reserve() throws { try change { try files.reserve(path) } }

  /// Replaces the registrations atomically, or removes the file if there are none.
  ///
  /// - Throws: ``SettingsError``.
  func write(_ registrations: [KeptRegistration]) throws {
    guard !registrations.isEmpty else { return try SettingsFile.remove(path, files) }
    try change { try files.replace(path, with: JSONEncoder.readable.encode(registrations)) }
  }

  private func change(_ body: () throws -> Void) throws {
    do { try body() } catch { throw SettingsError(error, "write the registered clients to", path) }
  }
}

extension Context {
  /// Adds a new client to the account's registrations.
  ///
  /// - Throws: ``SettingsError`` or `TokenStorageError`.
  func add(_ registration: KeptRegistration) async throws {
    let file = try RegistrationFile(self)
    // The client exists at the server. A new task stores it even if the command is cancelled.
    try await Task {
      try await withExclusiveSettings { try file.write(file.read() + [registration]) }
    }.value
  }
}
