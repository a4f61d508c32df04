// SPDX-License-Identifier: Apache-2.0

import CCommit
package import OAuthScope

/// A command of the program, with its options and help.
package struct Command: Sendable {
  /// The name: the words after `almanac`, one or two.
  package let name: String
  /// The scope to advise: no narrower part of it allows all requests of the command.
  ///
  /// `nil` for commands without the Calendar API.
  package var leastScope: Scope?
  /// The summary, one line.
  let summary: String
  /// The text below the options in the help.
  var discussion = ""
  /// The names of the arguments other than options.
  ///
  /// Names in brackets are optional, and come last.
  var positional: [String] = []
  /// The allowed values of the first argument, or empty if any value is possible.
  var argumentChoices: [String] = []
  var options: [Option] = []
  /// The names of the required options.
  ///
  /// Each element lists alternatives, at least one of which is required.
  var required: [[String]] = []
  let run: @Sendable (Context) async throws -> Void

  package static let all: [Command] = [
    .demo, .sandbox, .signIn, .whoami, .accounts, .token, .status, .revoke,
    .agenda, .eventsList, .eventsGet, .eventsAdd, .eventsQuickAdd, .eventsEdit, .eventsMove, .eventsDelete,
    .calendars, .calendarsAdd, .calendarsEdit, .calendarsDelete, .calendarsClear, .calendarsSubscribe,
    .calendarsCustomize, .calendarsUnsubscribe,
    .aclList, .aclAdd, .aclEdit, .aclDelete, .free, .colors, .settings,
    .profile, .call, .discover, .credentials, .tokensKey, .tokensSeal, .tokensReseal,
    .tokensMigrate, .tokensMigrateSchema,
    .completion, .manual,
  ]
}

extension Command {
  /// The version of the package.
  static let version = "0.1.0-dev"

  /// The version, and the commit if this is a release build from a clone.
  static var versionAndCommit: String {
    let commit = unsafe String(cString: almanac_commit())
    return commit.isEmpty ? version : "\(version) (\(commit))"
  }

  /// The names of all options, including those of every command.
  package var optionNames: [String] { (options + Option.common).map(\.name) }

  /// The command with placeholders for its arguments.
  var usage: String {
    let needed = required.map { names in
      let titles = names.compactMap { name in options.first { $0.name == name }?.title }.joined(separator: " | ")
      return names.count == 1 ? titles : "(\(titles))"
    }
    return (["almanac", name, "[OPTION]..."] + needed + positional).joined(separator: " ")
  }

  /// The help of the command.
  var help: String {
    // Only a command that signs in or sends requests has options for the client and the server.
    let isClient = options.contains { $0.name == "client-id" }
    let shared = isClient ? Set(Session.serverOptions.map(\.name)) : []
    let rows = { (options: [Option]) in Self.table(options.map { ($0.title, $0.help) }) }
    let others = options.filter { shared.contains($0.name) }
    var text = "\(summary)\n\nUsage: \(usage)\n\nOptions:\n"
    text += rows(options.filter { !shared.contains($0.name) } + Option.common)
    if !others.isEmpty { text += "\nAccount, client and server:\n\(rows(others))" }
    if !discussion.isEmpty { text += "\n\(discussion)\n" }
    if let group = CommandGroup.named(name) { text += "\nCommands:\n\(group.table)" }
    return text
  }

  /// The help of the program.
  static var overview: String {
    """
    OAuth 2.0 and Google Calendar at the command line.

    Usage: almanac COMMAND [OPTION]...

    Commands:
    \(table(overviewRows))
    Start with `almanac demo`, which needs no account and no network. For details,
    run `almanac COMMAND --help`. For the version, run `almanac --version`.

    Environment:
    \(table(environment))
    Exit status:
    \(table(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))
    """
  }

  /// The environment variables read by the program.
  static let environment: [(String, String)] = [
    ("ALMANAC_CLIENT_ID", "the client identifier from the provider"),
    ("ALMANAC_CLIENT_SECRET", "the client secret, for desktop and web clients"),
    ("ALMANAC_ACCOUNT", "the account to use without --account"),
    ("ALMANAC_STORAGE", "the token storage without --storage: \(StorageName.list)"),
    ("DATABASE_URL", "the database of the storage postgresql (default: PGHOST and libpq's other variables)"),
    ("XDG_DATA_HOME", "the folder for tokens, in almanac/tokens (default: ~/.local/share)"),
    ("XDG_CONFIG_HOME", "the folder for settings, in almanac (default: ~/.config)"),
    ("ALMANAC_SEALING_KEY_FILE", "a file with keys that seal the tokens, readable by you alone"),
    ("ALMANAC_SEALING_KEYS", "the keys themselves, instead of a file"),
    ("ALMANAC_SEALING_STORE", "the name of the store that sealed tokens belong to (default: almanac)"),
    ("NO_COLOR", "no colours if set and not empty"),
    ("CLICOLOR_FORCE", "colours in a pipe too, unless 0 or empty"),
    ("BROWSER", "the browser to open"),
  ]

  static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count + 2))\($0.1)\n" }.joined()
  }
}
