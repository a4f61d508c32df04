// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a command works with.
package struct Context: Sendable {
  let command: Command
  let arguments: Arguments
  let services: Services
  let terminal: Terminal
  /// The credentials that the command sends.
  let secrets: SentSecrets

  init(command: Command, arguments: Arguments, services: Services, secrets: SentSecrets) throws {
    self.command = command
    self.arguments = arguments
    self.services = services
    self.secrets = secrets
    terminal = try Terminal(
      color: arguments["color"] ?? "auto", environment: services.environment, console: services.console)
  }

  var environment: [String: String] { services.environment }

  /// Whether the output is for a program.
  var isJSON: Bool { arguments.has("json") }

  /// The name of the account.
  var account: String { arguments["account"] ?? named ?? "default" }

  /// Where the commands keep tokens.
  var storage: any TokenStorage { services.storage }

  /// The clock that times are judged by.
  var clock: any WallClock { services.clock }

  /// The account's record; `nil` if the account has no client.
  var record: AccountRecord? {
    get async throws {
      let settings = try SettingsFile(account: account, environment: environment).read()
      let isOfResource = arguments.has("resource") || settings?.server.resource != nil
      let named = arguments["client-id"] ?? (isOfResource ? nil : environmentClientID)
      if let clientID = named ?? settings?.clientID { return try await record(of: clientID) }
      // The settings may be lost: the tokens can still be shown and removed.
      let names = try await storage.accounts().compactMap(RecordName.init).filter { $0.account == account }
      guard let name = names.first, names.count == 1 else { return nil }
      return try await record(of: name.clientID)
    }
  }

  /// Returns the record of the account at a client.
  ///
  /// One of an earlier version of the command, which was named by the account alone, is moved to its name of today, unless it cannot be read
  /// or does not say that it is this client's.
  func record(of clientID: String) async throws -> AccountRecord {
    let name = RecordName(account: account, clientID: clientID)
    if let token = try? await storage.token(for: account), token.clientID == clientID {
      try await storage.move(account, to: name.description)
    }
    return AccountRecord(account: name.description, name: account, storage: storage, clock: clock)
  }

  /// Whether tokens are stored for the account.
  var isSignedIn: Bool { get async throws { try await record?.stored != nil } }

  /// The sentence for an account without tokens.
  var notSignedIn: String {
    get async { "No tokens are stored for account \"\(account)\".\(await hint)" }
  }

  /// A sentence that names the accounts there are, after a space; empty if there are none but this one.
  var hint: String {
    get async {
      // Other programs that use the library may keep their tokens in the same folder.
      let names = ((try? await storage.accounts()) ?? []).compactMap(RecordName.init)
      let others = Set(names.filter { $0.account != account && isOwn($0) }.map(\.account)).sorted()
      return others.isEmpty ? "" : " Tokens are stored for: \(others.joined(separator: ", ")) (choose with --account)."
    }
  }

  /// Whether the command has signed an account in at this client, and keeps settings for it.
  private func isOwn(_ name: RecordName) -> Bool {
    let settings = try? SettingsFile(account: name.account, environment: environment).read()
    return settings?.clientID == name.clientID
  }

  /// The client identifier in the environment; `nil` if there is none.
  var environmentClientID: String? { environment["ALMANAC_CLIENT_ID"].flatMap { $0.isEmpty ? nil : $0 } }

  private var named: String? { environment["ALMANAC_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the port that an option names, 0 for one that is free; `nil` without the option.
  ///
  /// - Throws: ``UsageError``.
  func port(_ option: String) throws -> Int? {
    guard let text = arguments[option] else { return nil }
    guard let port = Int(text), (0...65_535).contains(port) else {
      throw UsageError("--\(option) is a number from 0 to 65535.", command: command)
    }
    return port
  }

  /// Waits until the user ends the program: nothing else does.
  func waitForInterruption() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
  }

  /// Writes a value as JSON to standard output.
  func writeJSON(_ value: some Encodable) throws {
    terminal.raw(Array(try JSONEncoder.readable.encode(value)).terminalSafeJSON + [UInt8(ascii: "\n")])
  }

  /// Writes objects as a JSON array, each in a line.
  ///
  /// - Parameter objects: Objects of the Calendar API as the server sent them.
  func writeJSON(objects: [[UInt8]]) {
    let array = Array("[\n".utf8) + objects.joined(separator: Array(",\n".utf8)) + Array("\n]\n".utf8)
    terminal.raw(array.terminalSafeJSON)
  }
}

extension JSONEncoder {
  /// Sorted and indented, so that output can be read and compared.
  static var readable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
