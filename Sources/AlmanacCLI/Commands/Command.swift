// SPDX-License-Identifier: Apache-2.0

/// What may follow `almanac`: a word, or two.
package struct Command: Sendable {
  package let name: String
  /// The summary, one line.
  let summary: String
  /// What else to know, under the options in the help.
  var discussion = ""
  /// The names of the arguments without a dash; those in brackets, which are the last ones, may be left out.
  var positional: [String] = []
  var options: [Option] = []
  let run: @Sendable (Context) async throws -> Void

  package static let all: [Command] = [
    .demo, .sandbox, .signIn, .whoami, .accounts, .token, .status, .revoke,
    .agenda, .eventsList, .eventsGet, .eventsAdd, .eventsQuickAdd, .eventsEdit, .eventsMove, .eventsDelete,
    .calendars, .calendarsAdd, .calendarsEdit, .calendarsDelete, .calendarsClear, .calendarsSubscribe,
    .calendarsCustomize, .calendarsUnsubscribe,
    .aclList, .aclAdd, .aclEdit, .aclDelete, .free, .colors, .settings,
    .profile, .call, .discover, .credentials,
  ]
}

extension Command {
  /// The version of the package.
  static let version = "0.1.0-dev"

  /// The names of all options, those of every command included.
  package var optionNames: [String] { (options + Option.common).map(\.name) }

  /// The help of one command.
  var help: String {
    let words = ["almanac", name, "[OPTION]..."] + positional
    var text = "\(summary)\n\nUsage: \(words.joined(separator: " "))\n\nOptions:\n"
    text += Self.table((options + Option.common).map { ("--\($0.name)\($0.value.map { " \($0)" } ?? "")", $0.help) })
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
    Start with "almanac demo": it needs no account and no network. "almanac COMMAND --help" tells more,
    "almanac --version" names the version.

    Environment:
    \(table([
      ("ALMANAC_CLIENT_ID", "the client identifier that the provider gave"),
      ("ALMANAC_CLIENT_SECRET", "the client secret, for desktop and web clients"),
      ("ALMANAC_ACCOUNT", "the account that is used without --account"),
      ("XDG_DATA_HOME", "tokens are kept in almanac/tokens in it (default: ~/.local/share)"),
      ("XDG_CONFIG_HOME", "settings are kept in almanac in it (default: ~/.config)"),
      ("NO_COLOR", "no colours if it is set to anything"),
      ("BROWSER", "the browser to open"),
    ]))
    Exit status:
    \(table(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))
    """
  }

  static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count + 2))\($0.1)\n" }.joined()
  }
}
