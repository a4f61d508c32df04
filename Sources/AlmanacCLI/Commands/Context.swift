// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation
import Timekeeping
import TokenStore

/// The context of a command: its arguments, services and terminal.
package struct Context: Sendable {
  let command: Command
  let arguments: Arguments
  let services: Services
  let terminal: Terminal
  /// The credentials sent by the command.
  let secrets: SentSecrets

  init(command: Command, arguments: Arguments, services: Services, secrets: SentSecrets) throws {
    self.command = command
    self.arguments = arguments
    self.services = services
    self.secrets = secrets
    storageName = try StorageName.chosen(arguments, services.environment, command)
    opened = try services.openStorage(storageName)
    storage = Self.sealing(opened.records, services.environment)
    terminal = try Terminal(
      color: arguments["color"] ?? "auto", environment: services.environment, console: services.console)
  }

  var environment: [String: String] { services.environment }

  /// Whether the output is JSON.
  var isJSON: Bool { arguments.has("json") }

  /// The name of the account.
  var account: String { arguments["account"] ?? named ?? "default" }

  /// The name of the command's token storage.
  let storageName: StorageName

  /// The command's token storage, without sealing.
  let opened: CommandStorage

  /// The token storage of the commands, sealed if the environment names keys.
  let storage: any TokenStorage

  /// Returns a storage that seals the records of another one, if the environment names keys.
  func sealing(_ records: any TokenStorage) -> any TokenStorage { Self.sealing(records, environment) }

  private static func sealing(_ records: any TokenStorage, _ environment: [String: String]) -> any TokenStorage {
    SealingSettings(environment)?.storage(over: records) ?? records
  }

  /// Runs `body` while no other command changes the settings and registered clients of the account.
  ///
  /// They are files of this computer, whichever storage has the tokens. No record has the account's bare name, so only
  /// such changes take this lock.
  ///
  /// - Parameter account: The account, or `nil` for the command's.
  func withExclusiveSettings<Result: Sendable>(
    of account: String? = nil, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let files = try services.openStorage(.file).records
    return try await files.withExclusiveAccess(to: account ?? self.account) { _ in try await body() }
  }

  /// The clock for expiry and dates.
  var clock: any WallClock { services.clock }

  /// The account's record, or `nil` if its client is unknown.
  var record: AccountRecord? {
    get async throws {
      if let clientID = try clientID { return record(of: clientID) }
      // Without settings, the tokens can still be shown and removed.
      let names = try await recordNames
      return names.count == 1 ? record(of: names[0].clientID) : nil
    }
  }

  /// The client named by the options, the environment or the account's settings, or `nil` if there is none.
  var clientID: String? {
    get throws {
      let settings = try SettingsFile(self).read()
      let isOfResource = arguments.has("resource") || settings?.server.resource != nil
      return arguments["client-id"] ?? (isOfResource ? nil : environmentClientID) ?? settings?.clientID
    }
  }

  /// The records of the account, one for each client.
  var recordNames: [RecordName] {
    get async throws {
      try await storage.accounts().compactMap(RecordName.init).filter { isOfAccount($0) }
    }
  }

  private func isOfAccount(_ name: RecordName) -> Bool {
    name == RecordName(account: account, clientID: name.clientID)
  }

  /// Returns the record of the account at a client.
  func record(of clientID: String) -> AccountRecord {
    let name = RecordName(account: account, clientID: clientID)
    return AccountRecord(account: name.description, name: account, storage: storage, clock: clock)
  }

  /// Whether tokens are stored for the account.
  var isSignedIn: Bool { get async throws { try await record?.stored != nil } }

  /// Whether tokens are stored for the account, including sealed ones that cannot be opened.
  var hasRecord: Bool {
    get async throws {
      do {
        return try await isSignedIn
      } catch let error as TokenStorageError where error.isOfUnreadableRecord && error.code != .corrupted {
        return true
      }
    }
  }

  /// A message that the account has no tokens, with the other accounts that have some, or that several clients have tokens for it.
  var notSignedIn: String {
    get async {
      let clients = ((try? await recordNames) ?? []).map(\.clientID).sorted()
      guard clients.count > 1, (try? await record) == nil else {
        return "No tokens are stored for account \"\(account)\"\(inStorage).\(await hint)"
      }
      let list = clients.joined(separator: ", ")
      return "Several clients have tokens for account \"\(account)\"\(inStorage): \(list) (choose with --client-id)."
    }
  }

  /// A space and the words "in the storage NAME", or an empty string for files, the default.
  var inStorage: String { storageName == .file ? "" : " in the storage \(storageName.rawValue)" }

  /// A space and `--storage NAME` for a suggested command, or an empty string if the user did not pass this option.
  var storageOption: String { arguments.has(Option.storage.name) ? " --storage \(storageName.rawValue)" : "" }

  /// The options that make an advised command use the same account and storage, after a space.
  ///
  /// Empty for the default account and storage.
  var sameAccount: String {
    let isDefault = !arguments.has("account") && account == "default"
    return (isDefault ? "" : " --account \(account.shellWord)") + storageOption
  }

  /// A space and a sentence naming the other accounts with tokens.
  ///
  /// Empty if there are none.
  var hint: String {
    get async {
      // Other programs that use the library may store their tokens in the same folder.
      let names = ((try? await storage.accounts()) ?? []).compactMap(RecordName.init)
      let others = Set(names.filter { !isOfAccount($0) && isOwn($0) }.map(\.account)).sorted()
      return others.isEmpty ? "" : " Tokens are stored for: \(others.joined(separator: ", ")) (choose with --account)."
    }
  }

  /// Whether the command has settings for this account and client.
  private func isOwn(_ name: RecordName) -> Bool {
    let settings = try? SettingsFile(self, account: name.account).read()
    return settings.map { RecordName(account: name.account, clientID: $0.clientID) } == name
  }

  /// The client identifier in the environment, or `nil` if there is none.
  var environmentClientID: String? { environment["ALMANAC_CLIENT_ID"].flatMap { $0.isEmpty ? nil : $0 } }

  private var named: String? { environment["ALMANAC_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns an option's port, with 0 for a free one, or `nil` without the option.
  ///
  /// - Throws: ``UsageError``.
  func port(_ option: String) throws -> Int? {
    guard let text = arguments[option] else { return nil }
    guard let port = Int(text), (0...65_535).contains(port) else {
      throw UsageError("--\(option) must be a number from 0 to 65535.", command: command)
    }
    return port
  }

  /// Waits until the task is cancelled, which happens when the user interrupts the program.
  func waitForInterruption() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
  }

  /// Writes a value as JSON to standard output.
  func writeJSON(_ value: some Encodable) throws {
    terminal.raw(Array(try JSONEncoder.readable.encode(value)).terminalSafeJSON + [UInt8(ascii: "\n")])
  }

  /// Writes objects as a JSON array, one object per line.
  ///
  /// - Parameter objects: Objects of the Calendar API, as JSON.
  func writeJSON(objects: [[UInt8]]) {
    let array = Array("[\n".utf8) + objects.joined(separator: Array(",\n".utf8)) + Array("\n]\n".utf8)
    terminal.raw(array.terminalSafeJSON)
  }
}

extension JSONEncoder {
  /// An encoder with sorted keys and indentation, for readable and comparable output.
  static var readable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
