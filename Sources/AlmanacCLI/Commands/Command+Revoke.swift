import Almanac
import OAuthCore
import TokenStore

extension Command {
  static let revoke = Command(
    name: "revoke",
    summary: "Revoke the access at the server, then remove the stored tokens.",
    discussion: "If the server cannot be reached, the tokens are kept so that the command can be repeated.",
    options: Session.serverOptions + [
      Option("local", nil, "remove the stored tokens alone, for a server that has no revocation")
    ]
  ) { context in
    if context.arguments.has("local") {
      try await FileTokenStorage().withExclusiveAccess(to: context.account) { try await $0.write(nil) }
      if context.isJSON { return try context.writeJSON(["revoked": false]) }
      return context.terminal.line("The stored tokens are removed. What the server allowed it still allows.")
    }
    let session = try await Session(context)
    let wasSignedIn = try await session.google.authorization.storedToken != nil
    try await session.google.revoke()
    if context.isJSON { return try context.writeJSON(["revoked": wasSignedIn]) }
    context.terminal.line(
      wasSignedIn ? "Access is revoked and the tokens are removed." : "Nobody is signed in as this account.")
  }
}
