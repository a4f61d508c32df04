// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Timekeeping
import TokenStore

extension Command {
  static let token = Command(
    name: "token",
    summary: "Show the access token's type, expiry and scopes, or the token itself.",
    discussion: """
      An access token that has expired or is about to expire is refreshed first. With --reveal, standard output contains the
      token and nothing else:

        curl -H "Authorization: Bearer $(almanac token --reveal)" https://www.googleapis.com/calendar/v3/colors
      """,
    options: Session.serverOptions + [
      Option("reveal", nil, "write the token itself, which grants access to everyone who has it")
    ]
  ) { context in
    let session = try await Session(context)
    let token = try await session.account.tokens.accessToken()
    let isRevealed = context.arguments.has("reveal")
    if isRevealed, context.terminal.showsOutput {
      context.terminal.note(
        "The token is visible on this screen and in its history. Everyone who reads it can use it until it expires."
      )
    }
    if context.isJSON {
      return try context.writeJSON(
        TokenReport(
          account: context.account, tokenType: token.type, scopes: token.scopes,
          expiresAt: token.expiresAt?.description, issuedAt: token.issuedAt?.description,
          accessToken: isRevealed ? token.value.reveal() : nil))
    }
    if isRevealed { return context.terminal.line(TerminalText(token.value.reveal())) }
    context.terminal.write(rows: [
      ("Account", context.account), ("Type", token.type), ("Scopes", token.scopes.joined(separator: " ")),
      ("Valid", context.validity(until: token.expiresAt, serverClockOffset: token.serverClockOffset)),
      ("Expires", token.expiresAt?.description), ("Issued", token.issuedAt?.description),
      ("Token", "not shown without --reveal"),
    ])
  }
}

private struct TokenReport: Encodable {
  let account: String
  let tokenType: String
  let scopes: [Scope]
  let expiresAt: String?
  let issuedAt: String?
  let accessToken: String?
}
