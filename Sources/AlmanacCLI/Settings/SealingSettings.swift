// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import TokenStore
import TokenStoreSealed

/// The settings for sealing the command's records, from the environment.
struct SealingSettings: SealingKeys {
  private let environment: [String: String]

  /// Reads the settings, or returns `nil` if the environment names no keys.
  ///
  /// The keys are read when they are used, so a command without tokens does not need them.
  init?(_ environment: [String: String]) {
    guard Self.names.contains(where: { environment[$0] != nil }) else { return nil }
    self.environment = environment
  }

  static let file = "ALMANAC_SEALING_KEY_FILE"
  static let variable = "ALMANAC_SEALING_KEYS"
  static let store = "ALMANAC_SEALING_STORE"
  private static let names = [file, variable]

  /// Returns a storage that seals the records of `base`.
  func storage(
    over base: any TokenStorage, plainRecords: SealedTokenStorage.PlainRecords = .refused
  ) -> SealedTokenStorage {
    SealedTokenStorage(
      wrapping: base, keys: self, store: environment[Self.store] ?? "almanac", plainRecords: plainRecords)
  }

  /// Reads the keys.
  ///
  /// - Throws: `TokenStorageError`.
  func keyRing() async throws -> SealingKeyRing {
    guard let path = environment[Self.file] else {
      return try SealingKeyRing(environment: Self.variable, of: environment)
    }
    guard environment[Self.variable] == nil else {
      throw TokenStorageError(.invalidKeys, "Both \(Self.file) and \(Self.variable) are set. Unset one of them.")
    }
    return try SealingKeyRing(file: URL(filePath: path))
  }
}

extension TokenStorageError {
  /// The message, with the remedy at the command line.
  var commandMessage: String {
    switch code {
    case .sealed: "\(message) Set \(SealingSettings.file) to the file with the keys."
    case .notSealed:
      "\(message) At the command line, `almanac tokens seal` with the same storage seals it."
    case .schemaMissing:
      "\(message) At the command line, `almanac tokens migrate-schema --storage postgresql` creates them."
    case .keyringMissing, .promptUnavailable: "\(message) At the command line, `--storage file` stores tokens in files."
    default: message
    }
  }
}
