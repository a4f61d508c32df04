// SPDX-License-Identifier: Apache-2.0

extension Command {
  static let completion = Command(
    name: "completion",
    summary: "Write a completion script for a shell.",
    discussion: """
      SHELL is bash, zsh or fish. `./Scripts/install` installs the scripts for all of them.
      """,
    positional: ["SHELL"], argumentChoices: Shell.allCases.map(\.rawValue)
  ) { context in
    guard let shell = Shell(rawValue: context.arguments.positional[0]) else {
      throw UsageError(
        "SHELL must be one of \(Shell.allCases.map(\.rawValue).joined(separator: ", ")).", command: context.command)
    }
    context.terminal.line(TerminalText(lines: shell.completion))
  }

  static let manual = Command(name: "manual", summary: "Write the manual page.") { context in
    context.terminal.line(TerminalText(lines: ManualPage.text))
  }
}
