import Almanac
import OAuthCore

extension Command {
  static let revoke = Command(
    name: "revoke",
    summary: "Revoke the access at the server, then remove the stored tokens.",
    discussion: "If the server cannot be reached, the tokens are kept so that the command can be repeated.",
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let wasSignedIn = try await session.google.authorization.storedToken != nil
    try await session.google.revoke()
    if context.isJSON { return try context.writeJSON(["revoked": wasSignedIn]) }
    context.terminal.line(
      wasSignedIn ? "Access is revoked and the tokens are removed." : "Nobody is signed in as this account.")
  }
}
