// SPDX-License-Identifier: Apache-2.0

/// The completion script for zsh.
enum ZshCompletion {
  static var text: String {
    """
    #compdef almanac
    # Completion of almanac for zsh. Made by "almanac completion zsh".
    _almanac() {
      local -a first verbs
      first=(
    \(Command.overviewRows.map { "    \(described($0.0, $0.1))\n" }.joined())  )
      if (( CURRENT == 2 )); then
        _describe command first
        return
      fi
      local command=$words[2]
      case "$words[2] $words[3]" in
        \(Command.pairs.map { "'\($0.name)'" }.joined(separator: "|"))) (( CURRENT > 3 )) && command="$words[2] $words[3]" ;;
      esac
      case $command in
    \(groupCases)  esac
      if (( CURRENT == 3 && $#verbs )) && [[ $words[3] != -* ]]; then
        _describe command verbs
        return
      fi
      local -a name
      name=(${(z)command})
      shift $#name words
      (( CURRENT -= $#name ))
      case $command in
    \(commandCases)  esac
    }
    if [ "$funcstack[1]" = _almanac ]; then _almanac "$@"; else compdef _almanac almanac; fi

    """
  }

  private static var groupCases: String {
    CommandGroup.all.map { group in
      let verbs = Command.all.filter { $0.firstWord == group.name }.compactMap { command in
        command.secondWord.map { described($0, command.summary) }
      }
      return "    \(group.name)) verbs=(\(verbs.joined(separator: " "))) ;;\n"
    }.joined()
  }

  private static var commandCases: String {
    Command.all.map { command in
      var specifications = command.allOptions.map(specification)
      let choices = command.argumentChoices.joined(separator: " ")
      specifications.append(choices.isEmpty ? "'*:argument:'" : "'1:value:(\(choices))'")
      return "    '\(command.name)') _arguments \(specifications.joined(separator: " ")) ;;\n"
    }.joined()
  }

  /// The specification of an option for `_arguments`.
  private static func specification(of option: Option) -> String {
    var text = "\(option.isRepeatable ? "*" : "")--\(option.name)[\(escaped(option.help))]"
    if let value = option.value {
      text += ":\(value):"
      switch option.values {
      case .none: break
      case .file: text += "_files"
      case .folder: text += "_files -/"
      case .choices(let words): text += "(\(words.joined(separator: " ")))"
      }
    }
    return quoted(text)
  }

  private static func described(_ word: String, _ summary: String) -> String {
    quoted("\(word):\(escaped(summary))")
  }

  /// The text with escapes for the special characters of a description.
  private static func escaped(_ text: String) -> String {
    text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
