// SPDX-License-Identifier: Apache-2.0

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
    guard try await context.isSignedIn else {
      if context.isJSON { return try context.writeJSON(["revoked": false]) }
      return context.terminal.line(TerminalText(await context.notSignedIn))
    }
    if context.arguments.has("local") {
      try await context.record.remove()
      if context.isJSON { return try context.writeJSON(["revoked": false]) }
      return context.terminal.line("The stored tokens are removed. What the server allowed it still allows.")
    }
    let session = try await Session(context)
    do {
      try await session.account.revoke()
    } catch let error as OAuthError where error.code == .unsupported {
      throw OAuthError(
        .unsupported,
        "The server has no revocation endpoint. Remove the stored tokens with: almanac revoke --local --account "
          + "\(context.account). End the access itself in your account's settings at the server.")
    }
    if context.isJSON { return try context.writeJSON(["revoked": true]) }
    context.terminal.line("Access is revoked and the tokens are removed.")
  }
}
