// SPDX-License-Identifier: Apache-2.0

import TokenStore
import TokenStoreSealed

extension Command {
  static let tokensKey = Command(
    name: "tokens key",
    summary: "Generate a key that seals stored tokens.",
    discussion: """
      Writes a line IDENTIFIER:KEY to standard output. Store it where only you can read it, and keep a copy: without their
      key, sealed tokens are lost. The first key of a file seals tokens, and every key of the file opens them:

        (umask 077; almanac tokens key 2026-11 > sealing-keys)
        export ALMANAC_SEALING_KEY_FILE="$PWD/sealing-keys"
        almanac tokens seal
      """,
    positional: ["IDENTIFIER"]
  ) { context in
    let key = try SealingKey.generate(context.arguments.positional[0])
    if context.terminal.showsOutput {
      context.terminal.note(
        "The key is visible on this screen and in its history. Everyone who reads it can open tokens that it seals.")
    }
    if context.isJSON { return try context.writeJSON(["identifier": key.identifier, "key": key.reveal()]) }
    context.terminal.line(TerminalText(key.reveal()))
  }

  static let tokensSeal = Command(
    name: "tokens seal",
    summary: "Seal the stored tokens, including those in plain text.",
    discussion: """
      Seals every record with the first key. Other commands can use the records meanwhile. If the command is interrupted,
      run it again. Programs without the keys can no longer read the tokens. A database can also contain records of other
      programs, which are sealed too.
      """,
    options: [.storage]
  ) { context in
    try await context.reseal(plainRecords: .accepted)
  }

  static let tokensReseal = Command(
    name: "tokens reseal",
    summary: "Seal the stored tokens with a new key.",
    discussion: """
      Before you run the command, put the new key in front of the old one. When the command reports no failure, remove
      the old key. Records in plain text are reported as failures: `almanac tokens seal` seals them.
      """,
    options: [.storage]
  ) { context in
    try await context.reseal(plainRecords: .refused)
  }
}

extension Context {
  /// Seals all records with the first key, and writes the result.
  ///
  /// - Throws: The error of the first record that could not be sealed, after the others have been.
  fileprivate func reseal(plainRecords: SealedTokenStorage.PlainRecords) async throws {
    guard let sealing = SealingSettings(environment) else {
      throw UsageError(
        "Set \(SealingSettings.file) to the file of the keys. `almanac tokens key` generates one.", command: command)
    }
    let key = try await sealing.keyRing().identifiers[0]
    let report = try await sealing.storage(over: opened.records, plainRecords: plainRecords).reseal()
    if isJSON {
      try writeJSON(ResealOutput(report, key: key))
    } else {
      terminal.write(rows: [
        ("Key", key), ("Sealed", "\(report.resealed)"), ("Unchanged", "\(report.unchanged)"),
        ("Failed", "\(report.failures.count)"),
      ])
    }
    guard let failure = report.failures.first else { return }
    throw TokenStorageError(
      failure.error.code,
      "\(report.failures.count) of the records could not be sealed. The first one: \(failure.error.message)")
  }
}

private struct ResealOutput: Encodable {
  let key: String
  let sealed: Int
  let unchanged: Int
  let failures: [RecordFailure]

  init(_ report: ResealReport, key: String) {
    self.key = key
    sealed = report.resealed
    unchanged = report.unchanged
    failures = report.failures.map { RecordFailure($0.account, $0.error) }
  }
}

/// A record that a command on all records could not change, for JSON output.
struct RecordFailure: Encodable {
  let account: String
  let code: String
  let message: String

  init(_ account: String, _ error: TokenStorageError) {
    (self.account, code, message) = (account, error.code.description, error.commandMessage)
  }
}
