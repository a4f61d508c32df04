// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
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
    defer { services.files.release() }
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
      let rest = arguments.dropFirst().filter { !["--help", "-h"].contains($0) }
      guard rest.isEmpty else { return try await perform(rest + ["--help"], secrets) }
      plain.help(Command.overview)
      return .success
    }
    if name == "--version" {
      plain.line("almanac \(Command.versionAndCommit)")
      return .success
    }
    if let help = CommandGroup.help(for: arguments) {
      plain.help(help)
      return .success
    }
    let (command, rest) = try Command.find(arguments)
    let checked = try Arguments(rest, for: command)
    if checked.has("help") {
      plain.help(command.help)
      return .success
    }
    let context = try Context(command: command, arguments: checked, services: services, secrets: secrets)
    defer { context.terminal.endProgress() }
    try await context.opened.use(context.terminal) { try await context.runCommand() }
    return .success
  }
}

extension Context {
  /// Runs the command, and explains its errors.
  fileprivate func runCommand() async throws {
    do {
      try await command.run(self)
    } catch is CancellationError
      where ["sign-in", "revoke"].contains(command.name) && services.console.fault == nil
    {
      throw await interruption
    } catch let error as CalendarError where error.code == .insufficientPermissions {
      throw command.leastScope.map { error.saying(message(missing: $0)) } ?? error
    } catch let error as OAuthError
      where error.refusesClient && command.name != "sign-in" && command.name != "revoke"
    {
      throw try explained(error)
    }
  }

  /// The error of an interrupted command, which states whether tokens are stored.
  ///
  /// A keyring could show its prompt again, and a database may not respond. They are not read.
  fileprivate var interruption: Interruption {
    get async {
      // The current task is cancelled, so the check runs in a new task.
      let isSignedIn = storageName == .file ? await Task { try? await hasRecord }.value : nil
      return switch isSignedIn {
      case true?: Interruption("The stored tokens of account \"\(account)\" are kept.")
      case false?: Interruption("No tokens are stored for account \"\(account)\".")
      case nil:
        Interruption(
          "To see whether tokens are stored, run `almanac status --account \(account.shellWord)\(storageOption)`.")
      }
    }
  }

  /// Returns a message with the scope to advise, and the sign-in for adding it.
  fileprivate func message(missing scope: Scope) -> String {
    let requested = (try? SettingsFile(self).read())?.scopes ?? []
    let signIn = "almanac sign-in\(sameAccount)"
    // With --if-needed, a scope that the user denied before would not be requested again.
    let remedy =
      ScopeRule.google.isCovered(scope, by: requested)
      ? "Run `\(signIn)`, and allow the scope \(scope.googleName)."
      : "Run `\(signIn) --if-needed --scope \(scope.googleName)`."
    return "The sign-in has no scope that allows this command. \(remedy)"
  }

  /// Returns an error that advises a new sign-in if the command registered the rejected client, else the error itself.
  ///
  /// - Throws: ``SettingsError``.
  fileprivate func explained(_ error: OAuthError) throws -> OAuthError {
    let clientID = try clientID
    guard try RegistrationFile(self).read().contains(where: { $0.clientID == clientID }) else { return error }
    return OAuthError(
      .signInRequired,
      "The server no longer accepts the client that was registered for account \"\(account)\". Run `almanac sign-in --account \(account.shellWord)\(storageOption)`.",
      serverCode: error.serverCode, serverDescription: error.serverDescription)
  }
}

/// An interruption by the user, with the stored state.
struct Interruption: Error, CustomStringConvertible {
  private let outcome: String

  init(_ outcome: String) { self.outcome = outcome }

  var description: String { "Interrupted. \(outcome)" }
}

/// A failure to write standard output.
private struct OutputError: Error, CustomStringConvertible {
  var description: String {
    "The output could not be written and is incomplete. Check the disk, or the program that reads standard output."
  }
}
