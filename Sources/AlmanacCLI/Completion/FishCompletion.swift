// SPDX-License-Identifier: Apache-2.0

/// The completion script for fish.
enum FishCompletion {
  static var text: String {
    """
    # Completion of almanac for fish. Made by "almanac completion fish".
    function __almanac_command
        set -l words (commandline -opc)
        if test (count $words) -gt 2; and contains -- "$words[2] $words[3]" \(Command.pairs.map { quoted($0.name) }.joined(separator: " "))
            echo "$words[2] $words[3]"
        else if test (count $words) -gt 1
            echo $words[2]
        end
    end
    function __almanac_is
        set -l command (__almanac_command)
        test "$command" = $argv[1]
    end
    function __almanac_begins
        set -l words (commandline -opc)
        test (count $words) -eq (math 1 + (count $argv)); and test "$words[2..-1]" = "$argv"
    end
    complete -c almanac -f

    """ + lines.joined(separator: "\n") + "\n"
  }

  private static var lines: [String] {
    var lines = Command.overviewRows.map {
      "complete -c almanac -n __almanac_begins -a \($0.0) -d \(quoted($0.1))"
    }
    for command in Command.all {
      if let verb = command.secondWord {
        lines.append(
          "complete -c almanac -n '__almanac_begins \(command.firstWord)' -a \(verb) -d \(quoted(command.summary))"
        )
      }
      if !command.argumentChoices.isEmpty {
        let choices = command.argumentChoices.joined(separator: " ")
        lines.append("complete -c almanac -n '__almanac_begins \(command.name)' -a '\(choices)'")
      }
      lines += command.allOptions.map { line(of: $0, for: command) }
    }
    return lines
  }

  private static func line(of option: Option, for command: Command) -> String {
    var line = "complete -c almanac -n '__almanac_is \"\(command.name)\"' -l \(option.name)"
    if option.value != nil {
      switch option.values {
      case .none: line += " -x"
      case .file: line += " -rF"
      case .folder: line += " -xa '(__fish_complete_directories)'"
      case .choices(let words): line += " -xa '\(words.joined(separator: " "))'"
      }
    }
    return line + " -d \(quoted(option.help))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
