// SPDX-License-Identifier: Apache-2.0

/// Commands with the same first word, such as `events list` and `events add`.
struct CommandGroup: Sendable {
  /// The first word.
  let name: String
  /// The summary, one line.
  let summary: String

  static let all: [CommandGroup] = [
    CommandGroup(name: "events", summary: "Read and change events."),
    CommandGroup(name: "calendars", summary: "List the calendars in their own colours, and change them."),
    CommandGroup(
      name: "tokens", summary: "Seal the stored tokens with your own keys, and move them to another storage."),
    CommandGroup(name: "acl", summary: "List and change who has access to a calendar."),
  ]

  /// The commands of the group, including one whose name is only the first word.
  var commands: [Command] { Command.all.filter { $0.name == name || $0.name.hasPrefix(name + " ") } }

  /// The second words.
  var verbs: [String] { commands.map(\.name).filter { $0 != name }.map { String($0.dropFirst(name.count + 1)) } }

  /// Returns the group with a first word and at least one second word.
  static func named(_ name: String) -> CommandGroup? { all.first { $0.name == name && !$0.verbs.isEmpty } }

  /// Returns the help of a group that is not a command itself, or `nil` if the arguments request something else.
  static func help(for arguments: [String]) -> String? {
    guard arguments.count == 2, ["--help", "-h"].contains(arguments[1]), let group = named(arguments[0]),
      !group.commands.contains(where: { $0.name == group.name })
    else { return nil }
    return """
      \(group.summary)

      Usage: almanac \(group.name) COMMAND [OPTION]...

      Commands:
      \(group.table)
      For details, run `almanac \(group.name) COMMAND --help`.
      """
  }

  /// The commands with their summaries.
  var table: String { Command.table(commands.map { ($0.name, $0.summary) }) }
}

extension Command {
  /// Returns the command at the beginning of the arguments, by two words or one, and the arguments after its name.
  ///
  /// - Throws: ``UsageError``. The message shows an argument only if it is near a command's name. Any other argument may be a
  ///   secret in the wrong place.
  static func find(_ arguments: [String]) throws -> (command: Command, rest: ArraySlice<String>) {
    let command = { (words: Int) in all.first { $0.name == arguments.prefix(words).joined(separator: " ") } }
    if let command = command(2) { return (command, arguments.dropFirst(2)) }
    let (first, second) = (arguments.first ?? "", arguments.dropFirst().first ?? "")
    let group = CommandGroup.named(first)
    if let group, let verb = group.verbs.nearest(to: second) {
      throw UsageError(unknown: "command", "\(first) \(second)", nearest: "\(first) \(verb)")
    }
    if let command = command(1) { return (command, arguments.dropFirst()) }
    if let group { throw UsageError("`\(first)` needs one of these commands: \(group.verbs.joined(separator: ", ")).") }
    let words = overviewRows.map(\.0)
    if let meant = others[first.lowercased()] { throw UsageError(unknown: "command", first, nearest: meant) }
    let name = first.drop { $0 == "-" }.prefix { $0 != "=" }
    if first.hasPrefix("--"), let option = Option.common.map(\.name).nearest(to: String(name)), option != "help" {
      throw UsageError("Put options after the command, as in `almanac COMMAND --\(option)`.")
    }
    if let nearest = (words + ["--help", "--version"]).nearest(to: first) {
      throw UsageError(unknown: "command", first, nearest: nearest)
    }
    throw UsageError("Unknown command. The commands are \(words.joined(separator: ", ")).")
  }

  /// The names of commands in other programs, with the equivalent commands here.
  private static let others = [
    "login": "sign-in", "log-in": "sign-in", "auth": "sign-in", "signup": "sign-in", "logout": "revoke",
    "log-out": "revoke",
    "signout": "revoke", "sign-out": "revoke", "user": "whoami", "me": "whoami", "calendar": "calendars",
    "event": "events",
    "today": "agenda", "list": "events list", "add": "events add", "version": "--version",
  ]

  /// The first words of all commands, each with a summary.
  static var overviewRows: [(String, String)] {
    var rows: [(String, String)] = []
    for command in all {
      let word = String(command.name.prefix { $0 != " " })
      guard !rows.contains(where: { $0.0 == word }) else { continue }
      rows.append((word, CommandGroup.named(word)?.summary ?? command.summary))
    }
    return rows
  }
}
