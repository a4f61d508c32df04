// SPDX-License-Identifier: Apache-2.0

import OAuthCore

/// The program, from its arguments to its exit status.
package struct Program: Sendable {
  private let services: Services

  package init(services: Services) { self.services = services }

  /// Runs a command, and writes its error if it fails.
  ///
  /// - Parameter arguments: The arguments after the program's name.
  package func run(_ arguments: [String]) async -> ExitStatus {
    let console = services.console
    let secrets = SentSecrets()
    do {
      let status = try await perform(arguments, secrets)
      if console.fault != nil { throw CancellationError() }
      return status
    } catch is CancellationError where console.fault == .closed {
      // The reader closed the pipe because it needs no more output, as `head` does.
      return .success
    } catch {
      let error = console.fault == .failed && error is CancellationError ? OutputError() : error
      Failure(error, hiding: secrets.all).write(to: console, asJSON: arguments.prefix { $0 != "--" }.contains("--json"))
      return ExitStatus(error)
    }
  }

  private func perform(_ arguments: [String], _ secrets: SentSecrets) async throws -> ExitStatus {
    let plain = try Terminal(color: "auto", environment: services.environment, console: services.console)
    guard let name = arguments.first else {
      plain.note(TerminalText(lines: Command.overview))
      return .usage
    }
    if ["--help", "-h", "help"].contains(name) {
      plain.line(TerminalText(lines: Command.overview))
      return .success
    }
    if name == "--version" {
      plain.line("almanac \(Command.versionAndCommit)")
      return .success
    }
    if let help = CommandGroup.help(for: arguments) {
      plain.line(TerminalText(lines: help))
      return .success
    }
    let (command, rest) = try Command.find(arguments)
    let checked = try Arguments(rest, for: command)
    if checked.has("help") {
      plain.line(TerminalText(lines: command.help))
      return .success
    }
    let context = try Context(command: command, arguments: checked, services: services, secrets: secrets)
    defer { context.terminal.endProgress() }
    do {
      try await command.run(context)
    } catch let error as OAuthError
      where error.refusesClient && command.name != "sign-in" && command.name != "revoke"
    {
      throw try context.explained(error)
    }
    return .success
  }
}

extension Context {
  /// Returns an error that advises a new sign-in if the command registered the rejected client; otherwise the error itself.
  ///
  /// - Throws: ``SettingsError``.
  fileprivate func explained(_ error: OAuthError) throws -> OAuthError {
    guard try RegistrationFile(account: account, environment: environment).read() != nil else {
      return error
    }
    return OAuthError(
      .signInRequired,
      "The server no longer accepts the client that was registered for account \"\(account)\". Run `almanac sign-in --account \(account)`.",
      serverCode: error.serverCode, serverDescription: error.serverDescription)
  }
}

/// A failure to write standard output.
private struct OutputError: Error, CustomStringConvertible {
  var description: String {
    "The output could not be written and is incomplete. Check the disk, or the program that reads standard output."
  }
}
