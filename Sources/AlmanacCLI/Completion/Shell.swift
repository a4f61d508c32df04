// SPDX-License-Identifier: Apache-2.0

/// A shell with a completion script.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script for completing commands, options and values, generated from the table of commands.
  var completion: String {
    switch self {
    case .bash: BashCompletion.text
    case .zsh: ZshCompletion.text
    case .fish: FishCompletion.text
    }
  }
}

extension Command {
  /// The options, including those of every command.
  var allOptions: [Option] { options + Option.common }

  /// The first word of the name.
  var firstWord: String { String(name.prefix { $0 != " " }) }

  /// The second word of the name, or `nil` if it has one word.
  var secondWord: String? { name == firstWord ? nil : String(name.dropFirst(firstWord.count + 1)) }

  /// The commands with a name of two words.
  static let pairs = all.filter { $0.secondWord != nil }
}

/// The values of an option.
enum OptionValues: Equatable {
  /// No value, or a value without suggestions.
  case none
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// One of a few words.
  case choices([String])
}

extension Option {
  /// The values to suggest.
  var values: OptionValues {
    switch value {
    case _ where !choices.isEmpty: .choices(choices)
    case "FILE"?: .file
    case "DIR"?: .folder
    default: .none
    }
  }
}
