// SPDX-License-Identifier: Apache-2.0

/// The name of a token storage of the command.
///
/// The order is that of the cases. Exclusive access to several storages is obtained in this order.
package enum StorageName: String, CaseIterable, Encodable, Comparable {
  /// Files that only the user can read.
  case file
  /// The keyring of a Linux desktop.
  case keyring
  /// A PostgreSQL database.
  case postgresql

  static let variable = "ALMANAC_STORAGE"

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .file: 0
    case .keyring: 1
    case .postgresql: 2
    }
  }

  /// Parses the value of an option or environment variable.
  ///
  /// - Throws: ``UsageError``, which suggests the nearest name.
  init(_ text: String, of source: String, command: Command) throws {
    guard let name = StorageName(rawValue: text) else {
      let names = Self.allCases.map(\.rawValue)
      let suggestion = names.nearest(to: text).map { " Did you mean `\($0)`?" } ?? ""
      throw UsageError("\(source) must be \(Self.list).\(suggestion)", command: command)
    }
    self = name
  }

  /// Returns the storage named by `--storage`, else by the environment, else the files.
  ///
  /// A command without the option uses no tokens, and ignores the variable.
  ///
  /// - Throws: ``UsageError``.
  static func chosen(_ arguments: Arguments, _ environment: [String: String], _ command: Command) throws -> Self {
    guard command.optionNames.contains(Option.storage.name) else { return .file }
    if let text = arguments[Option.storage.name] {
      return try StorageName(text, of: "--\(Option.storage.name)", command: command)
    }
    return try byDefault(environment, command)
  }

  /// Returns the storage of commands without `--storage`.
  ///
  /// - Throws: ``UsageError``.
  static func byDefault(_ environment: [String: String], _ command: Command) throws -> Self {
    guard let text = environment[variable], !text.isEmpty else { return .file }
    return try StorageName(text, of: variable, command: command)
  }

  /// The names, for a sentence.
  static let list = allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " or \(postgresql.rawValue)"
}

extension Option {
  static let storage = Option.storage(
    "storage", "the token storage: \(StorageName.list) (default: $ALMANAC_STORAGE, else file)")

  /// Returns an option whose value is the name of a storage.
  static func storage(_ name: String, _ help: String) -> Option {
    Option(name, "NAME", help, choices: StorageName.allCases.map(\.rawValue))
  }
}
