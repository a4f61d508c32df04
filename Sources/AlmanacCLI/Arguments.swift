// SPDX-License-Identifier: Apache-2.0

/// A command's arguments, checked against the options it declares.
package struct Arguments: Sendable {
  private var values: [String: [String]] = [:]
  /// What stood there without a dash.
  package private(set) var positional: [String] = []

  /// Reads the arguments after the command's name.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options.
  ///
  /// - Throws: ``UsageError``, which names an argument but never shows a value: it may be a secret in the wrong place.
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
        // What follows the letter of a short option is its value.
        let shown = argument.hasPrefix("--") ? parts[0] : argument.prefix(2)
        throw UsageError("\(command.name) has no option \(shown).", command: command)
      }
      guard values[name] == nil || option.isRepeatable else {
        throw UsageError("--\(name) is given twice.", command: command)
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
    let required = command.positional.prefix { !$0.hasPrefix("[") }
    guard has("help") || (required.count...command.positional.count).contains(positional.count) else {
      let missing = required.dropFirst(positional.count).first
      throw UsageError(
        missing.map { "\($0) is missing." } ?? "\(command.name) takes \(command.positional.count) arguments.",
        command: command)
    }
  }

  /// Whether the option was given.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The option's value.
  package subscript(name: String) -> String? { values[name]?.last }

  /// Every value of a repeatable option.
  package func all(_ name: String) -> [String] { values[name] ?? [] }
}

/// What is wrong with how the command was called.
package struct UsageError: Error {
  package let message: String
  let command: Command?

  init(_ message: String, command: Command? = nil) {
    self.message = message
    self.command = command
  }
}

/// An option that a command understands.
package struct Option: Sendable {
  /// The name without dashes.
  let name: String
  /// What stands for the value in the help, or `nil` for a switch.
  let value: String?
  /// The summary, one line.
  let help: String
  /// Whether it may be given more than once.
  let isRepeatable: Bool

  init(_ name: String, _ value: String? = nil, _ help: String, isRepeatable: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
  }

  static let account = Option(
    "account", "NAME", "the account to use (default: $ALMANAC_ACCOUNT, else \"default\")")
  static let verbose = Option(
    "verbose", nil, "tell about every HTTP exchange on standard error; never shows a secret")

  /// What every command obeys.
  static let common: [Option] = [
    Option("json", nil, "write JSON to standard output, and why it failed to standard error"),
    Option("color", "WHEN", "auto, always or never (default: auto; $NO_COLOR is obeyed)"),
    Option("help", nil, "show this help"),
  ]
}
