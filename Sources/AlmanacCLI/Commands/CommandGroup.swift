// SPDX-License-Identifier: Apache-2.0

/// Commands with a first word in common, such as `events list` and `events add`.
struct CommandGroup: Sendable {
  /// The first word.
  let name: String
  /// The summary, one line.
  let summary: String

  static let all: [CommandGroup] = [
    CommandGroup(name: "events", summary: "List, show, add, change, move and delete events."),
    CommandGroup(name: "calendars", summary: "List the calendars in their own colours, and change them."),
    CommandGroup(name: "acl", summary: "List and change who has access to a calendar."),
  ]

  /// The commands of the group, also one that is the first word alone.
  var commands: [Command] { Command.all.filter { $0.name == name || $0.name.hasPrefix(name + " ") } }

  /// The second words.
  var verbs: [String] { commands.map(\.name).filter { $0 != name }.map { String($0.dropFirst(name.count + 1)) } }

  /// Returns the group that a first word names.
  static func named(_ name: String) -> CommandGroup? { all.first { $0.name == name && !$0.verbs.isEmpty } }

  /// The help of a group that is no command itself; `nil` if the arguments ask for something else.
  static func help(for arguments: [String]) -> String? {
    guard arguments.count == 2, ["--help", "-h"].contains(arguments[1]), let group = named(arguments[0]),
      !group.commands.contains(where: { $0.name == group.name })
    else { return nil }
    return """
      \(group.summary)

      Usage: almanac \(group.name) COMMAND [OPTION]...

      Commands:
      \(group.table)
      "almanac \(group.name) COMMAND --help" tells more.
      """
  }

  /// The commands with their summaries.
  var table: String { Command.table(commands.map { ($0.name, $0.summary) }) }
}

extension Command {
  /// Returns the command that the arguments begin with, by two words or one, and the arguments after its name.
  ///
  /// - Throws: ``UsageError``, which shows no argument: it may be a secret in the wrong place.
  static func find(_ arguments: [String]) throws -> (command: Command, rest: ArraySlice<String>) {
    for words in [2, 1] where arguments.count >= words {
      let name = arguments.prefix(words).joined(separator: " ")
      if let command = all.first(where: { $0.name == name }) { return (command, arguments.dropFirst(words)) }
    }
    if let group = arguments.first.flatMap(CommandGroup.named) {
      throw UsageError("\(group.name) is followed by \(group.verbs.joined(separator: ", ")).")
    }
    throw UsageError("There is no such command. The commands are \(overviewRows.map(\.0).joined(separator: ", ")).")
  }

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
