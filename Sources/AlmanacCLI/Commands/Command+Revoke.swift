// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import TokenStore

extension Command {
  static let revoke = Command(
    name: "revoke",
    summary: "Revoke the access at the server, then remove the stored tokens.",
    discussion: """
      If the server cannot be reached, the tokens are kept, and you can repeat the command. If the server refuses or has no
      revocation endpoint, use --local. With --forget-client, the account's settings and the client that the command
      registered are removed too, also at the server if it supports that. This works without tokens as well.
      """,
    options: Session.serverOptions + [
      Option("local", nil, "remove the stored tokens only, without revoking the access at the server"),
      Option("forget-client", nil, "also remove the account's registered client and settings"),
    ]
  ) { context in
    let (isLocal, forgets) = (context.arguments.has("local"), context.arguments.has("forget-client"))
    let file = try RegistrationFile(account: context.account, environment: context.environment)
    let settings = try SettingsFile(account: context.account, environment: context.environment)
    // A sealed record cannot be revoked without its key, but removed.
    let isSignedIn = try await isLocal ? context.hasRecord : context.isSignedIn
    let isKnown = try settings.read() != nil
    guard isSignedIn || (forgets && isKnown) else {
      if context.isJSON { return try context.writeJSON(["revoked": false]) }
      return context.terminal.line(TerminalText(await context.notSignedIn))
    }
    if isSignedIn, isLocal { try await context.record?.remove() }
    if isSignedIn, !isLocal { try await context.revokeAtServer() }
    if forgets {
      if !isLocal { try await context.deleteRegistration(file.read(), at: settings.read()?.server) }
      try file.remove()
      try settings.remove()
    }
    if context.isJSON { return try context.writeJSON(["revoked": isSignedIn && !isLocal]) }
    if isSignedIn {
      context.terminal.line(
        isLocal
          ? "The stored tokens are removed. The access at the server is not revoked."
          : "Access is revoked and the tokens are removed.")
    }
    if forgets {
      context.terminal.line("The account's client and settings are removed.")
    }
  }
}

extension Context {
  /// - Throws: `OAuthError` that advises `--local` if the server has no revocation endpoint or refuses the request.
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
    return "To remove the stored tokens, run `almanac revoke --local\(forget) --account \(account)`. "
      + "Revoke the access in your account's settings at the server."
  }

  /// Deletes the registration at its server, if the server supports that
  /// ([RFC 7592 § 2.3](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.3)).
  ///
  /// An error of the server is shown, not thrown, so the registration is still removed here.
  fileprivate func deleteRegistration(_ kept: KeptRegistration?, at choice: ServerChoice?) async throws {
    guard let kept, kept.client.registrationClientURI != nil, let choice else { return }
    do {
      let http = try transport().retrying(clock: clock)
      let server = try await choice.resolved(over: http).provider.server
      guard server.issuer == kept.issuer else { return }
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
