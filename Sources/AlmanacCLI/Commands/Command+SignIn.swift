// SPDX-License-Identifier: Apache-2.0

import Almanac
import OAuthCore
import PlatformFoundation
import Timekeeping
import TokenStore

extension Command {
  static let signIn = Command(
    name: "sign-in",
    summary: "Sign in through the browser, or on another device, and store the tokens.",
    discussion: """
      Tokens are stored in one file per account that only you can read. The settings file contains no secret, and no option
      takes one: other users can see a command's arguments. Google's scopes may be short (calendar.readonly) or complete URLs;
      the scopes of other providers are sent unchanged. A first sign-in requests openid, email, profile and calendar.readonly
      at Google. At an issuer that signs ID tokens, it requests openid, profile and email, and offline_access if listed. Later
      commands and sign-ins use the same server, client and scopes.

      --resource takes the URL of an API, such as a server of the Model Context Protocol. The command finds its authorization
      server, registers a client there, and requests tokens for this API only. It prints the API, the server and the scopes
      before the page opens. To use your own client, name it and its server with --client-id and --issuer.
      $ALMANAC_CLIENT_ID without --issuer, and $ALMANAC_CLIENT_SECRET, are not used for a resource.
      If the server has forgotten the client, the next sign-in registers another. To remove the client, use
      `almanac revoke --forget-client`.

      With --no-browser, open the URL in any browser, also on another computer. The browser then fails to load a page at
      127.0.0.1. Enter the whole URL of that page at the prompt or on standard input.
      """,
    options: Session.serverOptions + [
      Option(
        "scope", "SCOPE", "a scope to request (default: those of the last sign-in, else the provider's)",
        isRepeatable: true),
      Option(
        "redirect-port", "N", "the port of the redirect URI, for a server that compares it (default: a free one)"),
      Option(
        "prompt", "VALUE", "the prompt to request: none, login, consent or select_account (default: the provider's)",
        choices: ["none", "login", "consent", "select_account"]),
      Option("resource", "URL", "the URL of an API; finds its server and registers a client there"),
      Option("if-needed", nil, "keep a sign-in that is still valid"),
      Option("device", nil, "show a code to enter on another device instead of opening the browser"),
      Option("no-browser", nil, "print the URL instead of opening the browser, and read the callback URL"),
    ]
  ) { context in
    guard !(context.arguments.has("device") && context.arguments.has("no-browser")) else {
      throw UsageError("--device and --no-browser cannot be combined. Omit one.", command: context.command)
    }
    let named = context.arguments.all("scope").flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "," }) }
    let (session, token) = try await signedIn(context, scopes: named.map(String.init))
    try await session.keep(context)
    let stored = try await session.account.storedToken
    // With --if-needed, the user is not verified: a stored sign-in must send no request. A new sign-in has already read the
    // server's keys.
    let user: String? = if context.arguments.has("if-needed") { nil } else { await session.user(stored) }

    let refused = ScopeRule.google.uncovered(session.settings.scopes, by: token.scopes)
    if context.isJSON {
      try context.writeJSON(
        SignInReport(
          account: context.account, user: user, granted: token.scopes, refused: refused,
          canRefresh: stored?.refreshToken != nil,
          expiresAt: token.expiresAt?.description))
    } else {
      if let user {
        context.terminal.line("Signed in as \(user) (account \"\(context.account)\").")
      } else {
        context.terminal.line("Signed in as account \"\(context.account)\".")
      }
      if !refused.isEmpty { context.terminal.note("Not granted: \(refused.shown(separator: ", "))") }
      if let stored, stored.refreshToken == nil {
        let validity = context.validity(
          until: stored.expiresAt, serverClockOffset: stored.serverClockOffset)
        context.terminal.note(
          "The server issued no refresh token. The access token is valid \(validity). \(session.adviceForARefreshToken)"
        )
      }
    }
  }
}

extension Session {
  /// Returns the user's e-mail address, or else the name, from the verified ID token, or `nil` if there is none.
  fileprivate func user(_ stored: StoredToken?) async -> String? {
    guard let stored, let token = stored.idToken else { return nil }
    let claims = try? await verifier.claims(of: token, nonce: nil, serverClockOffset: stored.serverClockOffset)
    return claims?.email ?? claims?.name
  }

  /// A sentence with the remedy for a missing refresh token.
  fileprivate var adviceForARefreshToken: String {
    let listed = account.client.server.scopesSupported?.contains(.offlineAccess) == true
    if listed, !settings.scopes.contains(.offlineAccess) {
      return
        "To stay signed in, sign in with --scope offline_access in addition to the other scopes."
    }
    return listed
      ? "The server ignored offline_access. Allow it for the client at the server."
      : "The server does not list the scope offline_access. Sign in again when the token expires."
  }
}

/// Signs in.
///
/// If the server has forgotten the client registered by the command, signs in with another client. See
/// ``Session/replacingClient(_:scopes:tried:)``.
private func signedIn(_ context: Context, scopes: [String]) async throws -> (Session, AccessToken) {
  var session = try await Session(context, scopes: scopes)
  var isIfNeeded = context.arguments.has("if-needed")
  var tried: Set<String> = []
  while true {
    do {
      return (session, try await newToken(for: session, context, isIfNeeded: isIfNeeded))
    } catch  where session.isClientForgotten(error) && !context.arguments.has("client-id") {
      tried.insert(session.settings.clientID)
      session = try await session.replacingClient(context, scopes: scopes, tried: tried)
      isIfNeeded = false
    }
  }
}

private func newToken(for session: Session, _ context: Context, isIfNeeded: Bool) async throws -> AccessToken {
  let account = session.account
  guard context.arguments.has("device") else {
    return isIfNeeded ? try await account.authorize() : try await account.signIn()
  }
  func show(_ device: DeviceAuthorization) {
    context.tellSignIn(
      for: device.resources, at: account.client.server.issuer, page: device.verificationURI, scopes: device.scopes)
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
  /// The user's e-mail address or name.
  let user: String?
  let granted: [Scope]
  let refused: [Scope]
  let canRefresh: Bool
  let expiresAt: String?
}
