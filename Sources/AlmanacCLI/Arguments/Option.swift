// SPDX-License-Identifier: Apache-2.0

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
