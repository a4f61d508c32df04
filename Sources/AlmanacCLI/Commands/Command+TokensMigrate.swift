// SPDX-License-Identifier: Apache-2.0

import TokenStore

extension Command {
  static let tokensMigrate = Command(
    name: "tokens migrate",
    summary: "Move the stored tokens to another storage.",
    discussion: """
      Moves the tokens of every account of this command, which the settings on this computer name. Tokens of other programs
      and clients stay, unless --account names their account. If the command is interrupted, run it again. If an account
      has different tokens in both storages, nothing is moved.

        almanac tokens migrate-schema --storage postgresql
        almanac tokens migrate --from file --to postgresql
        export ALMANAC_STORAGE=postgresql
      """,
    options: [
      .storage("from", "the storage to move the tokens from: \(StorageName.list)"),
      .storage("to", "the storage to move the tokens to"),
      Option("account", "NAME", "move the tokens of this account only, for all of its clients"),
    ],
    required: [["from"], ["to"]]
  ) { context in
    let source = try context.storageName("from")
    let target = try context.storageName("to")
    guard source != target else {
      throw UsageError("--from and --to name the same storage. Name two.", command: context.command)
    }
    let current = try StorageName.byDefault(context.environment, context.command)
    if let account = context.arguments["account"] { try SettingsFile.check(account: account) }
    let opened = try context.services.openStorage(source)
    try await opened.use(context.terminal) {
      let other = try context.services.openStorage(target)
      try await other.use(context.terminal) {
        try await context.migrate(
          from: Migration.Side(name: source, storage: context.sealing(opened.records)),
          to: Migration.Side(name: target, storage: context.sealing(other.records)), current: current)
      }
    }
  }
}

extension Context {
  /// Returns the storage of a required option.
  ///
  /// - Throws: ``UsageError``.
  fileprivate func storageName(_ option: String) throws -> StorageName {
    try StorageName(arguments[option] ?? "", of: "--\(option)", command: command)
  }

  /// Moves the command's records, and writes the result, even after an error.
  ///
  /// - Parameter current: The storage of commands without `--storage`.
  fileprivate func migrate(from source: Migration.Side, to target: Migration.Side, current: StorageName) async throws {
    // A record with another kind of name belongs to another program.
    let names = try await source.storage.accounts().sorted().compactMap { record in
      RecordName(record).flatMap { $0.description.utf8.elementsEqual(record.utf8) ? $0 : nil }
    }
    let own = try names.filter(isSelected)
    var migration = Migration(from: source, to: target)
    do {
      try await noteClients(of: own, in: target.name)
      try await migration.move(own)
    } catch {
      if !migration.report.moved.isEmpty {
        try? await noteClients(of: migration.report.moved, in: target.name, insteadOf: source.name)
        try write(migration, others: names.count - own.count)
      }
      throw error
    }
    try await noteClients(of: migration.report.moved, in: target.name, insteadOf: source.name)
    try write(migration, others: names.count - own.count)
    if let account = arguments["account"], own.isEmpty {
      terminal.note("No tokens of account \"\(account)\" are in the storage \(source.name.rawValue).")
    }
    guard let failure = migration.report.failures.first else {
      if !isJSON, target.name != current { terminal.line(advice(target.name)) }
      return
    }
    for failure in migration.report.failures.dropFirst() {
      terminal.note("\(failure.record.description): \(failure.error.commandMessage)")
    }
    throw TokenStorageError(
      failure.error.code,
      "\(migration.report.failures.count) of the records could not be moved. The first one: \(failure.error.message)")
  }

  /// Returns how later commands find the moved records.
  private func advice(_ target: StorageName) -> TerminalText {
    arguments.has("account")
      ? "For this account, use --storage \(target.rawValue)."
      : "From now on, set \(StorageName.variable)=\(target.rawValue)."
  }

  /// Returns whether a record is one of the accounts and clients of this command, or of the account named by `--account`.
  ///
  /// - Throws: ``SettingsError`` if the account's settings cannot be read.
  private func isSelected(_ name: RecordName) throws -> Bool {
    if let account = arguments["account"] { return name == RecordName(account: account, clientID: name.clientID) }
    // The command has no account with such a name.
    guard (try? SettingsFile.check(account: name.account)) != nil else { return false }
    let settings = try SettingsFile(self, account: name.account).read()
    let registered = try RegistrationFile(self, account: name.account).read()
    return settings.map { RecordName(account: name.account, clientID: $0.clientID) } == name
      || registered.contains { $0.record(of: name.account) == name }
  }

  /// Notes the storage of the registered clients with these records, so a sign-in there does not delete them.
  ///
  /// - Parameter former: The storage that no longer has the records.
  func noteClients(
    of names: [RecordName], in storage: StorageName, insteadOf former: StorageName? = nil
  ) async throws {
    for name in names {
      let file = try RegistrationFile(self, account: name.account)
      guard try file.read().contains(where: { $0.record(of: name.account) == name }) else { continue }
      try await withExclusiveSettings(of: name.account) {
        try file.write(
          file.read().map { kept in
            var kept = kept
            if kept.record(of: name.account) == name {
              kept.storages = kept.storages.filter { $0 != former && $0 != storage } + [storage]
            }
            return kept
          })
      }
    }
  }

  private func write(_ migration: Migration, others: Int) throws {
    let report = migration.report
    if isJSON { return try writeJSON(MigrationOutput(migration, others: others)) }
    terminal.write(rows: [
      ("Moved", "\(report.moved.count)"), ("Failed", "\(report.failures.count)"), ("Remaining", "\(report.remaining)"),
      ("Others", others == 0 ? nil : "\(others), of other accounts, programs or clients: not moved"),
    ])
  }
}

private struct MigrationOutput: Encodable {
  let from: String
  let to: String
  let moved: Int
  let failures: [RecordFailure]
  let remaining: Int
  let others: Int

  init(_ migration: Migration, others: Int) {
    from = migration.source.name.rawValue
    to = migration.target.name.rawValue
    moved = migration.report.moved.count
    failures = migration.report.failures.map { RecordFailure($0.record.description, $0.error) }
    remaining = migration.report.remaining
    self.others = others
  }
}
