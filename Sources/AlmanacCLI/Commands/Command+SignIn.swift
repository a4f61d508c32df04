// SPDX-License-Identifier: Apache-2.0

import Almanac
import OAuthCore

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
    let session = try await Session(context, scopes: named.map(String.init))
    let account = session.account
    let token = try await newToken(for: account, context)
    try SettingsFile(account: context.account, environment: context.environment).write(session.settings)

    let refused = session.settings.scopes.filter { !GoogleScope(rawValue: $0).isGranted(by: token.scopes) }
    if context.isJSON {
      try context.writeJSON(SignInReport(account: context.account, granted: token.scopes, refused: refused))
    } else {
      context.terminal.line("Signed in as account \"\(context.account)\".")
      if !refused.isEmpty { context.terminal.note("Not granted: \(refused.joined(separator: ", "))") }
    }
  }
}

private func newToken(for account: OAuthAccount, _ context: Context) async throws -> AccessToken {
  let isIfNeeded = context.arguments.has("if-needed")
  guard context.arguments.has("device") else {
    return isIfNeeded ? try await account.authorize() : try await account.signIn()
  }
  if isIfNeeded {
    do {
      return try await account.tokens.accessToken()
    } catch let error as OAuthError where error.code == .signInRequired {}
  }
  return try await account.signInOnDevice { device in
    context.tellSignIn(for: device.resources, at: account.client.server.issuer, scopes: device.scopes)
    context.terminal.note("Open this URL on another device:\n\(device.verificationURI.absoluteString)")
    context.terminal.note("and enter the code \(device.userCode)")
    if let complete = device.verificationURIComplete {
      context.terminal.note("or open this URL, if it shows the same code:\n\(complete.absoluteString)")
    }
  }
}

private struct SignInReport: Encodable {
  let account: String
  let granted: [String]
  let refused: [String]
}
