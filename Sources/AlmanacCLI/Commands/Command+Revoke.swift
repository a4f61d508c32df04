// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import TokenStore

extension Command {
  static let revoke = Command(
    name: "revoke",
    summary: "Revoke the access at the server, then remove the stored tokens.",
    discussion: """
      If the server cannot be reached, the tokens are kept so that the command can be repeated. If it refuses, or has no
      revocation, --local removes them. With --forget-client the settings of the account go too, and the client that the
      command has registered for it, at the server as well where that can be done; there need not be any tokens.
      """,
    options: Session.serverOptions + [
      Option("local", nil, "remove what is stored alone, for a server that has no revocation or refuses it"),
      Option("forget-client", nil, "forget the account's client and settings too"),
    ]
  ) { context in
    let (isLocal, forgets) = (context.arguments.has("local"), context.arguments.has("forget-client"))
    let file = try RegistrationFile(account: context.account, environment: context.environment)
    let settings = try SettingsFile(account: context.account, environment: context.environment)
    let isSignedIn = try await context.isSignedIn
    let isKnown = try settings.read() != nil
    guard isSignedIn || (forgets && isKnown) else {
      if context.isJSON { return try context.writeJSON(["revoked": false]) }
      return context.terminal.line(TerminalText(await context.notSignedIn))
    }
    if isSignedIn, isLocal { try await context.record?.remove() }
    if isSignedIn, !isLocal { try await context.revokeAtServer() }
    if forgets {
      if !isLocal { try await context.deleteRegistration(file.read()) }
      try file.remove()
      try settings.remove()
    }
    if context.isJSON { return try context.writeJSON(["revoked": isSignedIn && !isLocal]) }
    if isSignedIn {
      context.terminal.line(
        isLocal
          ? "The stored tokens are removed. What the server allowed it still allows."
          : "Access is revoked and the tokens are removed.")
    }
    if forgets {
      context.terminal.line("The client and the settings of the account are forgotten.")
    }
  }
}

extension Context {
  /// - Throws: `OAuthError` that leads to `--local` if the server has no revocation or refuses it.
  fileprivate func revokeAtServer() async throws {
    let session = try await Session(self)
    do {
      try await session.account.revoke()
    } catch let error as OAuthError where error.code == .unsupported {
      throw OAuthError(.unsupported, "The server has no revocation endpoint. \(localAdvice(session))")
    } catch let error as OAuthError where error.code == .requestRejected || error.code == .invalidResponse {
      throw OAuthError(
        error.code, "The server refused to revoke the access. \(localAdvice(session))",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    }
  }

  private func localAdvice(_ session: Session) -> String {
    let forget = session.registered == nil ? "" : " --forget-client"
    return "Remove what is stored with: almanac revoke --local\(forget) --account \(account). "
      + "End the access itself in your account's settings at the server."
  }

  /// Deletes the registration at its server, if the server lets the client do so
  /// ([RFC 7592 § 2.3](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.3)).
  ///
  /// A server that does not respond, or has forgotten the client itself, does not keep the command from forgetting it here.
  fileprivate func deleteRegistration(_ kept: KeptRegistration?) async throws {
    guard let kept, kept.client.registrationClientURI != nil else { return }
    do {
      let http = try transport().retrying(clock: clock)
      let server = try await ServerMetadata.discover(issuer: kept.issuer, transport: http)
      try await ClientRegistrar(server: server, transport: http).delete(kept.client)
    } catch let error as CancellationError {
      throw error
    } catch {
      if !isJSON {
        terminal.note(
          "The registration could not be deleted at the server: \(String(describing: error))")
      }
    }
  }
}
