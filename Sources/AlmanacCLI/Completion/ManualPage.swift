// SPDX-License-Identifier: Apache-2.0

/// The manual page in the format of `man`, generated from the table of commands.
enum ManualPage {
  static var text: String {
    var page = """
      .\\" Made by "almanac manual".
      .TH ALMANAC 1 "" "almanac \(escaped(Command.version))"
      .SH NAME
      almanac \\- OAuth 2.0 and Google Calendar at the command line
      .SH SYNOPSIS
      .B almanac
      .I COMMAND
      .RI [ OPTION ]...
      .SH COMMANDS

      """
    for command in Command.all { page += section(of: command) }
    page += ".SH OPTIONS OF EVERY COMMAND\n" + entries(Option.common.map { ($0.title, $0.help) })
    page += ".SH ENVIRONMENT\n" + entries(Command.environment)
    page += ".SH EXIT STATUS\n" + entries(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
    return page
  }

  private static func section(of command: Command) -> String {
    var section = ".SS \(escaped(command.usage))\n\(lines(command.summary))\n"
    section += entries(command.options.map { ($0.title, $0.help) })
    if !command.discussion.isEmpty { section += ".PP\n\(lines(command.discussion))\n" }
    return section
  }

  private static func entries(_ rows: [(String, String)]) -> String {
    rows.map { ".TP\n.B \(escaped($0.0))\n\(lines($0.1))\n" }.joined()
  }

  /// Returns the text with each line escaped.
  ///
  /// No line is then read as a request.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = escaped(String(line))
      return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
    }.joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    let escapes: [Character: String] = ["\\": "\\e", "-": "\\-", "`": "\\(ga"]
    return text.map { escapes[$0] ?? String($0) }.joined()
  }
}
