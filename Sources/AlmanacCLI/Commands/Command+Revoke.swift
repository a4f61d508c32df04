// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation
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
    let file = try RegistrationFile(context)
    let settings = try SettingsFile(context)
    let listed = try file.read()
    // The clients of interrupted sign-ins, which no settings name. With --client-id, the user selects one client.
    let others = context.arguments.has("client-id") && !forgets ? [] : try await context.others(of: listed)
    // Without its key, a sealed record can be removed but not revoked.
    let hasRecord = try await isLocal ? context.hasRecord : context.isSignedIn
    let isCurrent = try hasRecord && (context.clientID != nil || others.isEmpty)
    let isSignedIn = isCurrent || !others.isEmpty
    let isKnown = try settings.read() != nil || !listed.isEmpty
    guard isSignedIn || (forgets && isKnown) else {
      if context.isJSON { return try context.writeJSON(["revoked": false]) }
      return context.terminal.line(TerminalText(await context.notSignedIn))
    }
    if isLocal {
      if isCurrent { try await context.record?.remove() }
      for other in others { try await context.record(of: other.clientID).remove() }
    } else {
      if isCurrent {
        let session = try await Session(context)
        try await context.revoke(session.account, isRegistered: session.registered != nil)
      }
      for other in others { try await context.revoke(context.account(of: other), isRegistered: true) }
    }
    var isForgotten = true
    if forgets {
      if !isLocal {
        for client in listed where client.without(context.storageName) == nil {
          try await context.deleteRegistration(client)
        }
      }
      isForgotten = try await context.withExclusiveSettings {
        // A sign-in may have added a client meanwhile.
        let rest = try file.read().compactMap { kept in
          listed.contains(where: kept.isSame) ? kept.without(context.storageName) : kept
        }
        // Without the registrations, the settings would name an unknown client.
        if rest.isEmpty { try settings.remove() }
        try file.write(rest)
        return rest.isEmpty
      }
    }
    if context.isJSON { return try context.writeJSON(["revoked": isSignedIn && !isLocal]) }
    if isSignedIn {
      context.terminal.line(
        isLocal
          ? "The stored tokens are removed. The access at the server is not revoked."
          : "Access is revoked and the tokens are removed.")
    }
    if forgets {
      context.terminal.line(
        isForgotten
          ? "The account's client and settings are removed."
          : "The account's settings and the clients with tokens in other storages are kept.")
    }
  }
}

extension Context {
  /// Returns the registered clients with tokens, without the current one.
  fileprivate func others(of listed: [KeptRegistration]) async throws -> [KeptRegistration] {
    let current = try clientID
    let stored = try await recordNames.map(\.clientID)
    return listed.filter { $0.clientID != current && stored.contains($0.clientID) }
  }

  /// Returns the account of a registered client that no settings name.
  fileprivate func account(of kept: KeptRegistration) async throws -> OAuthAccount {
    let http = try transport().retrying(clock: clock)
    let provider = try await kept.server.resolved(over: http).provider
    let client = try OAuthClient(
      provider: provider, registration: kept.client.registration(), transport: http, clock: clock)
    return OAuthAccount(
      client: client, storage: storage, account: RecordName(account: account, clientID: kept.clientID).description,
      scopes: [], name: account)
  }

  /// - Throws: `OAuthError` that advises `--local` if the server has no revocation endpoint or rejects the request.
  fileprivate func revoke(_ access: OAuthAccount, isRegistered: Bool) async throws {
    do {
      try await access.revoke()
    } catch let error as OAuthError where error.code == .unsupported {
      throw OAuthError(.unsupported, "The server has no revocation endpoint. \(localAdvice(isRegistered))")
    } catch let error as OAuthError where error.code == .requestRejected || error.code == .invalidResponse {
      throw OAuthError(
        error.code, "The server refused to revoke the access. \(localAdvice(isRegistered))",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    }
  }

  private func localAdvice(_ isRegistered: Bool) -> String {
    let forget = isRegistered ? " --forget-client" : ""
    let options = "\(forget) --account \(account.shellWord)\(storageOption)"
    return "To remove the stored tokens, run `almanac revoke --local\(options)`. "
      + "Revoke the access in your account's settings at the server."
  }

  /// Deletes the registration at its server, if the server supports it
  /// ([RFC 7592 § 2.3](https://www.rfc-editor.org/rfc/rfc7592.html#section-2.3)).
  ///
  /// - Parameters:
  ///   - kept: The registration.
  ///   - server: The server's metadata, or `nil` to discover them.
  func deleteAtServer(_ kept: KeptRegistration, _ server: ServerMetadata? = nil) async throws {
    guard kept.client.registrationClientURI != nil else { return }
    let http = try transport().retrying(clock: clock)
    let provider = try await kept.server.resolved(over: http, as: server).provider
    try await ClientRegistrar(server: provider.server, transport: http).delete(kept.client)
  }

  /// Deletes the registration at its server.
  ///
  /// An error of the server is shown, not thrown, so the registration is still removed here.
  fileprivate func deleteRegistration(_ kept: KeptRegistration) async throws {
    do {
      try await deleteAtServer(kept)
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
