// SPDX-License-Identifier: Apache-2.0

import Almanac
import OAuthCore
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Command {
  static let signIn = Command(
    name: "sign-in",
    summary: "Sign in through the browser, or on another device, and keep the tokens.",
    discussion: """
      The tokens are kept in one file an account that only you can read, the settings beside it without a secret.
      A secret is never an argument, since other users can see those. Google's scopes may be given in short
      (calendar.readonly) or as whole URLs; the scopes of other providers are sent as they are given. A first sign-in
      requests openid, email, profile and calendar.readonly at Google, and openid, profile and email at an issuer
      that signs ID tokens. The later commands, and a later sign-in, use the same server, client and scopes.

      With --resource the URL of an API is all that has to be known, such as that of a server of the Model Context Protocol: its
      authorization server is found, a client is registered there, and the tokens are for this API alone. API, server and scopes
      are printed before the page opens. A client of your own is named with the server that knows it, by --client-id and --issuer;
      $ALMANAC_CLIENT_ID alone and $ALMANAC_CLIENT_SECRET are for other servers.
      A client that the server has forgotten is registered anew at the next sign-in; "almanac revoke --forget-client" forgets
      it here.

      With --no-browser the URL is opened in any browser, also on another computer. That one then fails to load a page at
      127.0.0.1; the URL of that page, whole, is the response, given at the prompt or on standard input.
      """,
    options: Session.serverOptions + [
      Option(
        "scope", "SCOPE", "a scope to request (default: those of the last sign-in, else the provider's)",
        isRepeatable: true),
      Option(
        "redirect-port", "N", "the port of the redirect URI, for a server that compares it (default: a free one)"),
      Option(
        "prompt", "VALUE", "what the server shows: none, login, consent or select_account (default: the provider's)"),
      Option("resource", "URL", "the URL of an API, whose server is found and where the command registers itself"),
      Option("if-needed", nil, "keep a sign-in that still works"),
      Option("device", nil, "show a code to enter on another device, in place of the browser"),
      Option("no-browser", nil, "open no browser: print the URL, and read the URL that the browser ends at"),
    ]
  ) { context in
    guard !(context.arguments.has("device") && context.arguments.has("no-browser")) else {
      throw UsageError("--device and --no-browser exclude each other.", command: context.command)
    }
    let named = context.arguments.all("scope").flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "," }) }
    let (session, token) = try await signedIn(context, scopes: named.map(String.init))
    try await session.keep(context)
    let stored = try await session.account.storedToken

    let refused = session.settings.scopes.filter { !GoogleScope(rawValue: $0).isGranted(by: token.scopes) }
    if context.isJSON {
      try context.writeJSON(
        SignInReport(
          account: context.account, granted: token.scopes, refused: refused,
          canRefresh: stored?.refreshToken != nil,
          expiresAt: token.expiresAt?.description))
    } else {
      context.terminal.line("Signed in as account \"\(context.account)\".")
      if !refused.isEmpty { context.terminal.note("Not granted: \(refused.joined(separator: ", "))") }
      if let stored, stored.refreshToken == nil {
        let validity = context.validity(
          until: stored.expiresAt, serverClockOffset: stored.serverClockOffset)
        context.terminal.note(
          "The server gave no refresh token, so that the access token is all there is. Valid: \(validity). \(session.adviceForARefreshToken)"
        )
      }
    }
  }
}

extension Session {
  /// The advice that leads to a refresh token, as a sentence.
  fileprivate var adviceForARefreshToken: String {
    let listed = account.client.server.scopesSupported?.contains("offline_access") == true
    if listed, !settings.scopes.contains("offline_access") {
      return
        "To stay signed in, sign in with --scope offline_access in addition to the other scopes."
    }
    return listed
      ? "The server did not honour offline_access: allow it for the client at the server."
      : "The server does not list the scope offline_access. Sign in again when the token has expired."
  }
}

/// Signs in; once more with a client that is registered anew if the server has forgotten the one that the command registered.
private func signedIn(_ context: Context, scopes: [String]) async throws -> (Session, AccessToken) {
  let session = try await Session(context, scopes: scopes)
  do {
    let token = try await newToken(for: session, context, isIfNeeded: context.arguments.has("if-needed"))
    return (session, token)
  } catch  where session.isClientForgotten(error) {
    if !context.isJSON {
      context.terminal.note(
        "The server has forgotten the client that was registered for this account. Registering another …"
      )
    }
    let new = try await session.registeringAnew(context, scopes: scopes)
    return (new, try await newToken(for: new, context, isIfNeeded: false))
  }
}

private func newToken(for session: Session, _ context: Context, isIfNeeded: Bool) async throws -> AccessToken {
  let account = session.account
  guard context.arguments.has("device") else {
    return isIfNeeded ? try await account.authorize() : try await account.signIn()
  }
  func show(_ device: DeviceAuthorization) {
    context.tellSignIn(for: device.resources, at: account.client.server.issuer, scopes: device.scopes)
    context.terminal.note("Open this URL on another device:\n\(device.verificationURI.absoluteString)")
    context.terminal.note("and enter the code \(device.userCode)")
    if let complete = device.verificationURIComplete {
      context.terminal.note("or open this URL, if it shows the same code:\n\(complete.absoluteString)")
    }
  }
  return isIfNeeded ? try await account.authorizeOnDevice(show) : try await account.signInOnDevice(show)
}

private struct SignInReport: Encodable {
  let account: String
  let granted: [String]
  let refused: [String]
  let canRefresh: Bool
  let expiresAt: String?
}
