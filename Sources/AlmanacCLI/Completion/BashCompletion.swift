// SPDX-License-Identifier: Apache-2.0

/// The completion script for bash.
enum BashCompletion {
  static var text: String {
    """
    # Completion of almanac for bash. Made by "almanac completion bash".
    _almanac() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
        local command=${COMP_WORDS[1]} words=
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
            words="\(Command.overviewRows.map(\.0).joined(separator: " ")) --help --version"
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            return
        fi
        if [ "$COMP_CWORD" -gt 2 ]; then
            case "$command ${COMP_WORDS[2]}" in
                \(pairs)) command="$command ${COMP_WORDS[2]}" ;;
            esac
        fi
        case "$command $previous" in
    \(valueCases)    esac
        case $command in
    \(commandCases)    esac
        if [ "$COMP_CWORD" -eq 2 ]; then
            case $command in
    \(groupCases)        esac
        fi
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    }
    complete -F _almanac almanac

    """
  }

  private static var pairs: String { Command.pairs.map { "\"\($0.name)\"" }.joined(separator: " | ") }

  /// The suggestions for each option with a value.
  private static var valueCases: String {
    var lines: [String] = []
    for command in Command.all {
      for option in command.allOptions where option.value != nil {
        let suggest =
          switch option.values {
          case .none: ""
          case .file: " compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\");"
          case .folder: " compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\");"
          case .choices(let words):
            " mapfile -t COMPREPLY < <(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\");"
          }
        lines.append("        \"\(command.name) --\(option.name)\")\(suggest) return ;;\n")
      }
    }
    return lines.joined()
  }

  /// The options of each command.
  private static var commandCases: String {
    Command.all.map { command in
      let words = command.argumentChoices + command.allOptions.map { "--\($0.name)" }
      return "        \"\(command.name)\") words=\"\(words.joined(separator: " "))\" ;;\n"
    }.joined()
  }

  /// The second words of each group.
  private static var groupCases: String {
    CommandGroup.all.map { group in
      "            \(group.name)) words=\"\(group.verbs.joined(separator: " ")) ${words:---help}\" ;;\n"
    }.joined()
  }
}
