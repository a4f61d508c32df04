// SPDX-License-Identifier: Apache-2.0

/// A command's arguments, checked against the options it declares.
package struct Arguments: Sendable {
  private var values: [String: [String]] = [:]
  /// The arguments other than options.
  package private(set) var positional: [String] = []

  /// Parses the arguments after the command's name.
  ///
  /// `--name value` and `--name=value` are equivalent. `--` ends the options.
  ///
  /// - Throws: ``UsageError``, which names an argument but never shows a value. A value may be a secret in the wrong place.
  package init(_ arguments: some Sequence<String>, for command: Command) throws {
    let options = command.options + Option.common
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-" else {
        positional.append(argument)
        continue
      }
      if argument == "--" {
        positional.append(contentsOf: rest)
        break
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = argument == "-h" ? "help" : String(parts[0].dropFirst(2))
      guard argument == "-h" || argument.hasPrefix("--"), let option = options.first(where: { $0.name == name }) else {
        // The characters after a short option's letter are its value, which may be a secret.
        let shown = argument.hasPrefix("--") ? parts[0] : argument.prefix(2)
        let nearest = options.map(\.name).nearest(to: String(parts[0].drop { $0 == "-" }))
        throw UsageError(unknown: "option", String(shown), nearest: nearest.map { "--\($0)" }, command: command)
      }
      guard values[name] == nil || option.isRepeatable else {
        throw UsageError("--\(name) occurs more than once. Keep one.", command: command)
      }
      if option.value == nil {
        guard parts.count == 1 else { throw UsageError("--\(name) takes no value.", command: command) }
        values[name, default: []].append("")
      } else if parts.count == 2 {
        values[name, default: []].append(String(parts[1]))
      } else if let value = rest.popFirst() {
        values[name, default: []].append(value)
      } else {
        throw UsageError("--\(name) needs a value.", command: command)
      }
    }
    guard !has("help") else { return }
    let missing =
      command.required.filter { !$0.contains(where: has) }.map { $0.map { "--\($0)" }.joined(separator: " or ") }
      + command.positional.prefix { !$0.hasPrefix("[") }.dropFirst(positional.count)
    guard missing.isEmpty else {
      throw UsageError("Missing: \(missing.joined(separator: ", ")).", command: command)
    }
    guard positional.count <= command.positional.count else {
      throw UsageError("Too many arguments.", command: command)
    }
  }

  /// Returns whether the arguments contain an option.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value of an option, or `nil` without the option.
  package subscript(name: String) -> String? { values[name]?.last }

  /// Returns all values of a repeatable option.
  package func all(_ name: String) -> [String] { values[name] ?? [] }
}

/// An error in the arguments of a command.
package struct UsageError: Error {
  package let message: String
  let command: Command?

  init(_ message: String, command: Command? = nil) {
    self.message = message
    self.command = command
  }

  /// Creates the error for an unknown command or option, which suggests the nearest known one.
  ///
  /// - Parameters:
  ///   - kind: `command` or `option`.
  ///   - name: The unknown name. The message shows it, so it must not be a value.
  ///   - nearest: The name to suggest, or `nil` if none is near.
  ///   - command: The command whose help the message names.
  init(unknown kind: String, _ name: String, nearest: String?, command: Command? = nil) {
    let suggestion = nearest.map { " Did you mean `\($0)`?" } ?? ""
    self.init("Unknown \(kind) `\(name)`.\(suggestion)", command: command)
  }
}

/// An option of a command.
package struct Option: Sendable {
  /// The name without dashes.
  let name: String
  /// The placeholder for the value in the help, or `nil` for a switch.
  let value: String?
  /// The summary, one line.
  let help: String
  /// Whether the option can occur more than once.
  let isRepeatable: Bool
  /// The values suggested by shells.
  ///
  /// Empty if any value is possible.
  let choices: [String]
  /// The option as the help shows it, such as `--days N`.
  var title: String { "--\(name)\(value.map { " \($0)" } ?? "")" }

  init(
    _ name: String, _ value: String? = nil, _ help: String, isRepeatable: Bool = false, choices: [String] = []
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.choices = choices
  }

  static let account = Option(
    "account", "NAME", "the account to use (default: $ALMANAC_ACCOUNT, else \"default\")")
  static let verbose = Option(
    "verbose", nil, "write every HTTP exchange to standard error, without secrets")

  /// The options of every command.
  static let common: [Option] = [
    Option("json", nil, "write JSON to standard output, and errors as JSON to standard error"),
    Option(
      "color", "WHEN", "auto, always or never (default: auto, which respects $NO_COLOR)",
      choices: ["auto", "always", "never"]),
    Option("help", nil, "show this help"),
  ]
}
