// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Timekeeping
import TokenStore

extension Command {
  static let status = Command(
    name: "status",
    summary: "Show the account's stored data, without secrets. Sends nothing.",
    options: [.account, .storage]
  ) { context in
    let settings = try SettingsFile(context).read()
    let token = try await context.record?.stored
    let report = StatusReport(
      account: context.account, signedIn: token != nil, issuer: token?.issuer,
      clientID: settings?.clientID ?? token?.clientID,
      scopes: token?.scopes ?? [], expiresAt: token?.expiresAt?.description, canRefresh: token?.refreshToken != nil,
      storage: context.opened.place)
    if context.isJSON { return try context.writeJSON(report) }
    let terminal = context.terminal
    guard let token else {
      terminal.line("\(await context.notSignedIn) Run `almanac sign-in\(context.sameAccount)`.")
      return
    }
    let validity = context.validity(until: token.expiresAt, serverClockOffset: token.serverClockOffset)
    let rows = [
      ("Account", context.account), ("Issuer", token.issuer ?? "?"), ("Client", report.clientID ?? "?"),
      ("Scopes", token.scopes.joined(separator: " ")), ("Valid", validity),
      ("Refresh", token.refreshToken == nil ? "not possible: sign in again when it expires" : "possible"),
      ("Kept in", report.storage ?? "?"),
    ]
    for (label, value) in rows { terminal.line("\(label.fitted(to: 10)) \(value)") }
  }
}

private struct StatusReport: Encodable {
  let account: String
  let signedIn: Bool
  let issuer: String?
  let clientID: String?
  let scopes: [Scope]
  let expiresAt: String?
  let canRefresh: Bool
  let storage: String?
}
